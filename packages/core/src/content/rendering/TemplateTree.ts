/** A template after its syntax check: plain data that rendering walks. It cannot call or reach anything else. */

export interface Literal {
  readonly _tag: "Literal"
  readonly value: string | number | boolean | null
}

/** `up` counts `../`: contexts for a context path, enclosing `#each` for a loop path. */
export interface Path {
  readonly _tag: "Path"
  readonly origin: "context" | "root" | LoopVariable
  readonly up: number
  readonly keys: ReadonlyArray<string>
}

export const loopVariables = ["index", "key", "first", "last"] as const
export type LoopVariable = (typeof loopVariables)[number]

export interface HelperCall {
  readonly _tag: "Call"
  readonly helper: Helper
  readonly values: ReadonlyArray<Expression>
  readonly options: Readonly<Record<string, Expression>>
}

export type Expression = Literal | Path | HelperCall

/** What a helper accepts: the number of values, and its `name=value` options. */
export interface Taken {
  readonly least: number
  readonly most: number
  readonly options: ReadonlyArray<string>
}

export const helpers = {
  default: { least: 2, most: 2, options: [] },
  upper: { least: 1, most: 1, options: [] },
  lower: { least: 1, most: 1, options: [] },
  urlencode: { least: 1, most: 1, options: [] },
  date: { least: 1, most: 2, options: ["tz", "locale"] },
  number: { least: 1, most: 1, options: ["decimals", "currency", "locale"] }
} as const satisfies Record<string, Taken>
export type Helper = keyof typeof helpers

export const blocks = {
  if: { least: 1, most: 1, options: ["includeZero"] },
  unless: { least: 1, most: 1, options: ["includeZero"] },
  each: { least: 1, most: 1, options: [] },
  with: { least: 1, most: 1, options: [] }
} as const satisfies Record<string, Taken>
export type BlockHelper = keyof typeof blocks

export interface TextNode {
  readonly _tag: "Text"
  readonly text: string
}

export interface ValueNode {
  readonly _tag: "Value"
  readonly expression: Expression
  readonly escaped: boolean
  /** Printed as written in place of an empty value. */
  readonly fallback: string | undefined
  /** The expression as written between the braces. */
  readonly written: string
}

export interface BlockNode {
  readonly _tag: "Block"
  readonly block: BlockHelper
  readonly subject: Expression
  readonly includeZero: Expression | undefined
  readonly body: ReadonlyArray<Node>
  readonly otherwise: ReadonlyArray<Node>
  /** Whether there is an `{{else}}`, which may be empty. */
  readonly hasElse: boolean
}

/** By name. The last one of a name counts. */
export type Parameters = ReadonlyArray<readonly [name: string, value: Path | Literal]>

/** `{{> name key=value}}`: the partial of that name is printed here. */
export interface PartialNode {
  readonly _tag: "Partial"
  readonly name: string
  /** Values that the partial sees in place of those of the context. */
  readonly parameters: Parameters
  /** The offset of the tag in its source. */
  readonly at: number
}

export type Node = TextNode | ValueNode | BlockNode | PartialNode

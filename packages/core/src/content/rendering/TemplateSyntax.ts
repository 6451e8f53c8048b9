/** The syntax of templates: that of Handlebars, with a fixed set of blocks and helpers. */
import { Option, Result } from "effect"
import { exceedsBytes, maxText } from "./ByteLimit.ts"
import { withoutTagLines } from "./StandaloneTags.ts"
import {
  type BlockExpression,
  type PartialExpression,
  plainVariable,
  type Reading,
  readBlock,
  readPartial,
  readValue
} from "./TemplateExpression.ts"
import { type Flaw, faultAt, type SizeFault, type TemplateFault } from "./TemplateFault.ts"
import { type Tag, type Token, tokenize } from "./TemplateTokens.ts"
import type { Expression, Node } from "./TemplateTree.ts"

const maxNesting = 20
/** Open blocks and their `{{else if}}` count together, because a long chain makes a deep tree. */
const maxBranches = 200
/** Each distinct expression costs one run of the parser. Plain variables do not count. */
const maxDistinct = 5_000

/** Whether the source has anything to render. If not, it is used unchanged. */
export const hasPlaceholders = (source: string): boolean => source.includes("{{")

/**
 * The first fault of a source, or none. `errors[]` lists at most one for each field. Takes time in proportion to the
 * source.
 */
export const checkTemplate = (source: string): ReadonlyArray<TemplateFault> =>
  Result.match(parseTemplate(source), { onSuccess: () => [], onFailure: (fault) => [fault] })

/** As `checkTemplate`, with an offset in place of line and column. */
export const templateFlaw = (source: string): Flaw | SizeFault | undefined =>
  Option.getOrUndefined(Result.getFailure(parse(source)))

export const parseTemplate = (source: string): Result.Result<ReadonlyArray<Node>, TemplateFault> =>
  Result.mapError(parse(source), (flaw) => ("at" in flaw ? faultAt(source, flaw) : flaw))

const parse = (source: string): Result.Result<ReadonlyArray<Node>, Flaw | SizeFault> => {
  if (!hasPlaceholders(source)) return Result.succeed([{ _tag: "Text", text: source }])
  if (exceedsBytes(source, maxText)) {
    return Result.fail({ code: "too_big", message: "A text with placeholders is at most 5 MB." })
  }
  const { tokens, flaw } = tokenize(source)
  const tree = new Tree()
  for (const token of withoutTagLines(tokens)) {
    const refusal = tree.add(token)
    if (refusal !== undefined) return Result.fail(refusal)
  }
  const last = flaw ?? tree.unclosed()
  return last === undefined ? Result.succeed(tree.nodes) : Result.fail(last)
}

/**
 * A block that is still open, or the part after an `{{else if}}`, which is a block without a closing tag of its own.
 */
interface Branch extends BlockExpression {
  readonly at: number
  readonly chained: boolean
  readonly body: Array<Node>
  otherwise: Array<Node> | undefined
}

/**
 * Builds the tree token by token, with a list of open branches instead of recursion. Errors are messages for the
 * author.
 */
class Tree {
  readonly nodes: Array<Node> = []
  private readonly open: Array<Branch> = []
  private readonly values = new Map<string, Reading<Expression>>()
  private readonly subjects = new Map<string, Reading<BlockExpression>>()
  private readonly partials = new Map<string, Reading<PartialExpression>>()

  add(token: Token): Flaw | undefined {
    if (token._tag === "Text") {
      if (token.text !== "") this.append({ _tag: "Text", text: token.text })
      return undefined
    }
    const message = this.addTag(token)
    return message === undefined ? undefined : { message, at: token.at }
  }

  unclosed(): Flaw | undefined {
    const branch = this.open.findLast(({ chained }) => !chained)
    return branch && { message: `Block '${branch.block}' is not closed.`, at: branch.at }
  }

  private addTag(tag: Tag): string | undefined {
    switch (tag._tag) {
      case "Comment":
        return undefined
      case "Value":
        return this.addValue(tag)
      case "Partial":
        return this.addPartial(tag)
      case "Open":
        return this.enter(tag, false)
      case "Else":
        return this.turn("else")
      case "ElseIf":
        return this.turn(`else ${tag.inner}`) ?? this.enter(tag, true)
      case "Close":
        return this.close(tag.inner)
    }
  }

  private append(node: Node) {
    const branch = this.open.at(-1)
    if (branch === undefined) this.nodes.push(node)
    else (branch.otherwise ?? branch.body).push(node)
  }

  private addValue({ inner, escaped, fallback }: Tag & { readonly _tag: "Value" }): string | undefined {
    const plain = plainVariable(inner)
    const read = plain ? Result.succeed(plain) : this.remembered(this.values, inner, readValue)
    if (Result.isFailure(read)) return read.failure
    this.append({ _tag: "Value", expression: read.success, escaped, fallback, written: inner })
    return undefined
  }

  private addPartial({ inner, at }: Tag & { readonly _tag: "Partial" }): string | undefined {
    const read = this.remembered(this.partials, inner, readPartial)
    if (Result.isFailure(read)) return read.failure
    this.append({ _tag: "Partial", ...read.success, at })
    return undefined
  }

  private enter({ inner, at }: Tag & { readonly _tag: "Open" | "ElseIf" }, chained: boolean): string | undefined {
    const read = this.remembered(this.subjects, inner, readBlock)
    if (Result.isFailure(read)) return read.failure
    this.open.push({ ...read.success, at, chained, body: [], otherwise: undefined })
    if (this.open.length > maxBranches) return `More than ${maxBranches} blocks and {{else if}} are open at once.`
    const nesting = this.open.filter(({ chained }) => !chained).length
    return nesting > maxNesting ? `Blocks are nested more than ${maxNesting} deep.` : undefined
  }

  private turn(written: string): string | undefined {
    const branch = this.open.at(-1)
    if (branch === undefined) return `{{${written}}} stands outside of a block.`
    if (branch.otherwise !== undefined) return `Block '${branch.block}' has a second {{else}}.`
    branch.otherwise = []
    return undefined
  }

  private close(name: string): string | undefined {
    const opened = this.open.findLast(({ chained }) => !chained)
    if (opened === undefined) return `{{/${name}}} closes no block.`
    if (opened.block !== name) return `Block '${opened.block}' is closed by '${name}'.`
    for (let branch = this.open.pop(); branch !== undefined; branch = this.open.pop()) {
      const { block, subject, options, body, otherwise = [], chained } = branch
      const hasElse = branch.otherwise !== undefined
      this.append({ _tag: "Block", block, subject, includeZero: options["includeZero"], body, otherwise, hasElse })
      if (!chained) break
    }
    return undefined
  }

  /** Caches the result of parsing by the text of the expression. */
  private remembered<A>(
    known: Map<string, Reading<A>>,
    inner: string,
    read: (inner: string) => Reading<A>
  ): Reading<A> {
    const found = known.get(inner)
    if (found !== undefined) return found
    if (this.values.size + this.subjects.size + this.partials.size === maxDistinct) {
      return Result.fail(`The text has more than ${maxDistinct} different blocks and placeholders with helpers.`)
    }
    const fresh = read(inner)
    known.set(inner, fresh)
    return fresh
  }
}

/** Renders a template with variables to text, within a budget of time and size. */
import { Data, Effect, Option, Predicate, Result, type Schema } from "effect"
import { escapeHtml } from "../../platform/web/EscapeHtml.ts"
import { exceedsBytes, maxBody } from "./ByteLimit.ts"
import { evaluate, type Scope, type Value } from "./Evaluate.ts"
import { encodeUrl, isEmpty, isFalse, printed, subjectLine } from "./PrintedValue.ts"
import type { Skeleton } from "./Skeleton.ts"
import type { ParsedTemplate } from "./Template.ts"
import type { BlockNode, Node, ValueNode } from "./TemplateTree.ts"

const maxRounds = 10_000
const whole: Budget = { millis: 1000, output: maxBody }

/** Rendering exceeded the budget. The message names the limit. */
export class RenderBudget extends Data.TaggedError("RenderBudget")<{ readonly message: string }> {}

/**
 * How values are written. `html` escapes them. `subject` leaves them raw and puts the whole text on one line. `plain`
 * leaves them raw. `url` percent-encodes every value, including unescaped ones.
 */
export type Mode = "html" | "subject" | "plain" | "url"

export interface RenderOptions {
  /** If given, it is written together with the text, with marks in place of the values. */
  readonly skeleton?: Skeleton
  /**
   * If set, plain variables that are missing print as `[name]`, as in test mails. Fallbacks and blocks still treat them
   * as missing.
   */
  readonly nameMissing?: boolean
  /** The budget of the rendering. Defaults to the maximum for a text. */
  readonly budget?: Budget
}

export interface Budget {
  /** The time limit in milliseconds, on the given clock. */
  readonly millis: number
  /** The maximum number of characters of the text. */
  readonly output: number
}

export const render = (
  template: ParsedTemplate,
  variables: Schema.JsonObject,
  mode: Mode,
  options?: RenderOptions
): Effect.Effect<string, RenderBudget> =>
  Effect.clockWith((clock) => {
    const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
    return Effect.fromResult(renderAt(template, variables, mode, now, options))
  })

/** The same as `render`, without Effect. `now` is a monotonic clock in milliseconds. */
export const renderAt = (
  template: ParsedTemplate,
  variables: Schema.JsonObject,
  mode: Mode,
  now: () => number,
  options?: RenderOptions
): Result.Result<string, RenderBudget> => {
  if (template.verbatim) {
    if (exceedsBytes(template.source, maxBody)) return Result.fail(new RenderBudget({ message: tooLong }))
    options?.skeleton?.write(template.source)
    return Result.succeed(finish(template.source, mode))
  }
  const run = new Run(variables, mode, now, options)
  run.nodes(template.nodes, { context: variables, parent: undefined, loop: undefined })
  if (run.over === undefined && exceedsBytes(run.text, maxBody)) run.over = tooLong
  return run.over === undefined
    ? Result.succeed(finish(run.text, mode))
    : Result.fail(new RenderBudget({ message: run.over }))
}

/**
 * The value of a template that consists of one placeholder, in its JSON type, or null if it is missing. None for every
 * other template.
 */
export const soleValue = (template: ParsedTemplate, variables: Schema.JsonObject): Option.Option<Schema.Json> => {
  const [node, ...more] = template.nodes
  if (node?._tag !== "Value" || more.length > 0) return Option.none()
  const value = evaluate(node.expression, { context: variables, parent: undefined, loop: undefined }, variables)
  return Option.some(isEmpty(value) && node.fallback !== undefined ? node.fallback : (value ?? null))
}

const finish = (text: string, mode: Mode): string => (mode === "subject" ? subjectLine(text) : text)

const tooLong = "The rendered text is longer than 2 MB."
const tooManyRounds = "The loops of the text take more than 10,000 rounds."
const tooSlow = "Rendering the text takes longer than 1 second."

/** The number of nodes between two reads of the clock. */
const stride = 256

/** One rendering. Once `over` is set, it stops and every call returns. */
class Run {
  text = ""
  over: string | undefined
  private rounds = 0
  private ticks = 0
  private readonly root: Schema.JsonObject
  private readonly mode: Mode
  private readonly now: () => number
  private readonly end: number
  private readonly nameMissing: boolean
  private readonly skeleton: Skeleton | undefined
  private readonly maxOutput: number

  constructor(root: Schema.JsonObject, mode: Mode, now: () => number, options: RenderOptions | undefined) {
    this.root = root
    this.mode = mode
    this.now = now
    const { millis, output } = options?.budget ?? whole
    this.end = now() + millis
    this.maxOutput = output
    this.nameMissing = options?.nameMissing === true
    this.skeleton = options?.skeleton
  }

  nodes(nodes: ReadonlyArray<Node>, scope: Scope): void {
    for (const node of nodes) {
      if (++this.ticks % stride === 0 && this.now() > this.end) this.over ??= tooSlow
      if (this.over !== undefined) return
      if (node._tag === "Text") this.write(node.text)
      else if (node._tag === "Value") this.value(node, scope)
      else this.block(node, scope)
    }
  }

  /** `value` is the unescaped form of `text`. */
  private write(text: string, value?: string): void {
    if (this.text.length + text.length > this.maxOutput) this.over = tooLong
    else {
      this.text += text
      this.skeleton?.write(text, value)
    }
  }

  private value(node: ValueNode, scope: Scope): void {
    const value = evaluate(node.expression, scope, this.root)
    const isName = this.nameMissing && node.expression._tag === "Path" && (value === undefined || value === null)
    if (node.fallback !== undefined && isEmpty(value)) {
      this.write(node.fallback)
      return
    }
    const text = isName ? `[${node.written}]` : printed(value)
    this.write(this.converted(text, node), node.escaped && this.mode === "html" ? text : undefined)
  }

  private converted(text: string, { escaped, expression }: ValueNode): string {
    if (this.mode === "html") return escaped ? escapeHtml(text) : text
    const encoded = expression._tag === "Call" && expression.helper === "urlencode"
    return this.mode === "url" && !encoded ? encodeUrl(text) : text
  }

  private block(node: BlockNode, scope: Scope): void {
    const subject = evaluate(node.subject, scope, this.root)
    switch (node.block) {
      case "if":
      case "unless": {
        const includeZero = node.includeZero !== undefined && !isFalse(evaluate(node.includeZero, scope, this.root))
        const holds = !isFalse(subject) || (subject === 0 && includeZero)
        this.nodes(holds === (node.block === "if") ? node.body : node.otherwise, scope)
        break
      }
      case "with":
        if (isFalse(subject)) this.nodes(node.otherwise, scope)
        else this.nodes(node.body, { context: subject, parent: scope, loop: scope.loop })
        break
      case "each":
        this.each(node, subject, scope)
    }
  }

  /** Iterates arrays in their order and objects in the order of their keys. `@key` of an array item is its index. */
  private each({ body, otherwise }: BlockNode, subject: Value, scope: Scope): void {
    const items = itemsOf(subject)
    if (items.length === 0) this.nodes(otherwise, scope)
    for (const [index, [key, context]] of items.entries()) {
      if (++this.rounds > maxRounds) this.over ??= tooManyRounds
      if (this.over !== undefined) return
      const loop = { index, key, first: index === 0, last: index === items.length - 1, parent: scope.loop }
      this.nodes(body, { context, parent: scope, loop })
    }
  }
}

const itemsOf = (subject: Value): ReadonlyArray<readonly [key: string | number, item: Value]> => {
  if (Array.isArray(subject)) return subject.map((item, index) => [index, item])
  return Predicate.isObject(subject) ? Object.entries<Value>(subject as Schema.JsonObject) : []
}

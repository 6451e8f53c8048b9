/** Template and variables to text, within a budget (contract 7.2, 7.3). */
import { Data, Effect, Option, Predicate, Result, type Schema } from "effect"
import { exceedsBytes, megabyte } from "./ByteLimit.ts"
import { evaluate, type Scope, type Value } from "./Evaluate.ts"
import { encodeUrl, escapeHtml, isEmpty, isFalse, printed, subjectLine } from "./PrintedValue.ts"
import type { Skeleton } from "./Skeleton.ts"
import type { Template } from "./Template.ts"
import type { BlockNode, Node, ValueNode } from "./TemplateTree.ts"

const maxOutput = 10 * megabyte
const maxRounds = 10_000
const maxMillis = 1000

/** The text takes more than rendering may cost; the message says what. */
export class RenderBudget extends Data.TaggedError("RenderBudget")<{ readonly message: string }> {}

/**
 * What becomes of values: `html` escapes them; `subject` leaves them raw and makes one line of the whole; `plain`
 * leaves them raw; `url` percent-encodes every one of them, unescaped ones too.
 */
export type Mode = "html" | "subject" | "plain" | "url"

export interface RenderOptions {
  /** Written beside the text, with marks for its values. */
  readonly skeleton?: Skeleton
  /** Plain variables that are missing print as `[name]`, as in test mails; fallbacks and blocks still see them missing. */
  readonly nameMissing?: boolean
}

export const render = (
  template: Template,
  variables: Schema.JsonObject,
  mode: Mode,
  options?: RenderOptions
): Effect.Effect<string, RenderBudget> =>
  Effect.clockWith((clock) => {
    const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
    return Effect.fromResult(renderAt(template, variables, mode, now, options))
  })

/** As `render`, where there is no Effect around; `now` is a monotonic clock in milliseconds. */
export const renderAt = (
  template: Template,
  variables: Schema.JsonObject,
  mode: Mode,
  now: () => number,
  options?: RenderOptions
): Result.Result<string, RenderBudget> => {
  if (template.verbatim) {
    options?.skeleton?.write(template.source)
    return Result.succeed(finish(template.source, mode))
  }
  const run = new Run(variables, mode, now, options)
  run.nodes(template.nodes, { context: variables, parent: undefined, loop: undefined })
  if (run.over === undefined && exceedsBytes(run.text, maxOutput)) run.over = tooLong
  return run.over === undefined
    ? Result.succeed(finish(run.text, mode))
    : Result.fail(new RenderBudget({ message: run.over }))
}

/**
 * The value of a template that is one placeholder and nothing else, in its JSON type; null when it is missing.
 * None for every other template.
 */
export const soleValue = (template: Template, variables: Schema.JsonObject): Option.Option<Schema.Json> => {
  const [node, ...more] = template.nodes
  if (node?._tag !== "Value" || more.length > 0) return Option.none()
  const value = evaluate(node.expression, { context: variables, parent: undefined, loop: undefined }, variables)
  return Option.some(isEmpty(value) && node.fallback !== undefined ? node.fallback : (value ?? null))
}

const finish = (text: string, mode: Mode): string => (mode === "subject" ? subjectLine(text) : text)

const tooLong = "The rendered text is longer than 10 MB."
const tooManyRounds = "The loops of the text take more than 10,000 rounds."
const tooSlow = "Rendering the text takes longer than 1 second."

/** Nodes between two looks at the clock. */
const stride = 256

/** One rendering. Once `over` is set nothing more is done, and everything unwinds. */
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

  constructor(root: Schema.JsonObject, mode: Mode, now: () => number, options: RenderOptions | undefined) {
    this.root = root
    this.mode = mode
    this.now = now
    this.end = now() + maxMillis
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

  /** `value`: what was escaped to `text`. */
  private write(text: string, value?: string): void {
    if (this.text.length + text.length > maxOutput) this.over = tooLong
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

  /** Arrays in their order, objects in the order of their keys; `@key` of an array is the index. */
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

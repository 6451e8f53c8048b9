/** Renders a template with variables to text, within a budget of time and size. */
import { Data, Effect, Option, Predicate, Result, type Schema } from "effect"
import { escapeHtml } from "../../platform/web/EscapeHtml.ts"
import { exceedsBytes, maxText } from "./ByteLimit.ts"
import { above, evaluate, type Scope, type Value } from "./Evaluate.ts"
import { contentName, type Linked } from "./Partials.ts"
import { encodeUrl, isEmpty, isFalse, printed, subjectLine } from "./PrintedValue.ts"
import type { Skeleton } from "./Skeleton.ts"
import type { ParsedTemplate } from "./Template.ts"
import type { BlockNode, Expression, Node, PartialNode, Path, ValueNode } from "./TemplateTree.ts"

const maxRounds = 10_000
const maxInsertions = 1_000
const whole: Budget = { millis: 1000, output: maxText }

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
  /** The partials that the template names, and the text of a layout. */
  readonly linked?: Pick<Linked, "partials" | "content">
  /**
   * Collects the paths that print, or that `#each` and `#with` without `{{else}}` go through, and have neither value nor
   * fallback. `items[].name` is the name of an item.
   */
  readonly missing?: Set<string>
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
    if (exceedsBytes(template.source, maxText)) return Result.fail(new RenderBudget({ message: tooLong }))
    options?.skeleton?.write(template.source)
    return Result.succeed(finish(template.source, mode))
  }
  const run = new Run(variables, mode, now, options)
  run.nodes(template.nodes, run.top)
  if (run.over === undefined && exceedsBytes(run.text, maxText)) run.over = tooLong
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

const tooLong = "The rendered text is longer than 5 MB."
const tooManyInsertions = "The text inserts more than 1,000 partials."
const tooManyRounds = "The loops of the text take more than 10,000 rounds."
const tooSlow = "Rendering the text takes longer than 1 second."

/** The number of nodes between two reads of the clock. */
const stride = 256

/** One rendering. Once `over` is set, it stops and every call returns. */
class Run {
  text = ""
  over: string | undefined
  private rounds = 0
  private insertions = 0
  private ticks = 0
  /** The scope of a whole text. */
  readonly top: Scope
  private readonly root: Schema.JsonObject
  private readonly mode: Mode
  private readonly now: () => number
  private readonly end: number
  private readonly nameMissing: boolean
  private readonly skeleton: Skeleton | undefined
  private readonly maxOutput: number
  private readonly linked: RenderOptions["linked"]
  private readonly missing: Set<string> | undefined

  constructor(root: Schema.JsonObject, mode: Mode, now: () => number, options: RenderOptions | undefined) {
    this.root = root
    this.top = { context: root, parent: undefined, loop: undefined }
    this.mode = mode
    this.now = now
    const { millis, output } = options?.budget ?? whole
    this.end = now() + millis
    this.maxOutput = output
    this.nameMissing = options?.nameMissing === true
    this.skeleton = options?.skeleton
    this.linked = options?.linked
    this.missing = options?.missing
  }

  nodes(nodes: ReadonlyArray<Node>, scope: Scope): void {
    for (const node of nodes) {
      if (++this.ticks % stride === 0 && this.now() > this.end) this.over ??= tooSlow
      if (this.over !== undefined) return
      if (node._tag === "Text") this.write(node.text)
      else if (node._tag === "Value") this.value(node, scope)
      else if (node._tag === "Block") this.block(node, scope)
      else this.partial(node, scope)
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
    if (this.missing !== undefined && node.fallback === undefined) this.note(node.expression, scope)
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
    if (this.missing !== undefined && !node.hasElse && (node.block === "with" || node.block === "each")) {
      this.note(node.subject, scope)
    }
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
        else this.nodes(node.body, { context: subject, parent: scope, loop: scope.loop, ...this.place(node, scope) })
        break
      case "each":
        this.each(node, subject, scope)
    }
  }

  /** Prints a partial in the scope of its place, or the text of a layout in the scope of the whole. */
  private partial({ name, parameters }: PartialNode, scope: Scope): void {
    const isContent = name === contentName
    const template = isContent ? this.linked?.content : this.linked?.partials.get(name)
    if (template === undefined) this.over ??= `There is no partial '${name}'.`
    else if (++this.insertions > maxInsertions) this.over ??= tooManyInsertions
    else if (template.verbatim) this.write(template.source)
    else this.nodes(template.nodes, isContent ? this.top : this.with(parameters, scope))
  }

  private with(parameters: PartialNode["parameters"], scope: Scope): Scope {
    if (parameters.length === 0) return scope
    const values = new Map(scope.parameters)
    for (const [name, value] of parameters) values.set(name, evaluate(value, scope, this.root))
    if (this.missing === undefined) return { ...scope, parameters: values }
    const names = new Map(scope.parameterNames)
    for (const [name, value] of parameters) {
      names.set(name, value._tag === "Path" ? nameOfPath(value, scope) : undefined)
    }
    return { ...scope, parameters: values, parameterNames: names }
  }

  /** The name of the context that a block opens, for `missing`. */
  private place({ block, subject }: BlockNode, scope: Scope): Pick<Scope, "name"> {
    if (this.missing === undefined || subject._tag !== "Path") return {}
    const name = nameOfPath(subject, scope)
    return name === undefined ? {} : { name: block === "each" ? `${name}[]` : name }
  }

  /** Adds the path that the expression prints to `missing`, if it has no value. */
  private note(expression: Expression, scope: Scope): void {
    const isMissing = (each: Expression | undefined) =>
      each !== undefined && (evaluate(each, scope, this.root) ?? null) === null
    if (expression._tag === "Path") {
      const name = isMissing(expression) ? nameOfPath(expression, scope) : undefined
      if (name !== undefined && this.missing !== undefined && this.missing.size < maxMissing) this.missing.add(name)
    } else if (expression._tag === "Call") {
      const [first, second] = expression.values
      if (first !== undefined && (expression.helper !== "default" || isMissing(second))) this.note(first, scope)
    }
  }

  /** Iterates arrays in their order and objects in the order of their keys. `@key` of an array item is its index. */
  private each(node: BlockNode, subject: Value, scope: Scope): void {
    const { body, otherwise } = node
    const place = this.place(node, scope)
    const items = itemsOf(subject)
    if (items.length === 0) this.nodes(otherwise, scope)
    for (const [index, [key, context]] of items.entries()) {
      if (++this.rounds > maxRounds) this.over ??= tooManyRounds
      if (this.over !== undefined) return
      const loop = { index, key, first: index === 0, last: index === items.length - 1, parent: scope.loop }
      this.nodes(body, { context, parent: scope, loop, ...place })
    }
  }
}

/** The number of paths that are collected, and the length of one. */
const maxMissing = 1_000
const maxName = 200

/** The path from the whole of the variables. Undefined for `@index` and the like, and above the whole. */
export const nameOfPath = ({ origin, up, keys }: Path, scope: Scope): string | undefined => {
  if (origin === "root") return pathName("", keys)
  const place = origin === "context" ? above(scope, up) : undefined
  const [first, ...others] = keys
  if (place === undefined) return undefined
  if (first === undefined || !place.parameters?.has(first)) return pathName(place.name ?? "", keys)
  const name = place.parameterNames?.get(first)
  return name === undefined ? undefined : pathName(name, others)
}

/** `data.name` is the field `name`. */
const pathName = (place: string, keys: ReadonlyArray<string>): string => {
  const [first, ...others] = keys
  const named = place === "" && first === "data" && others.length > 0 ? others : keys
  return [...(place === "" ? [] : [place]), ...named].join(".").slice(0, maxName)
}

const itemsOf = (subject: Value): ReadonlyArray<readonly [key: string | number, item: Value]> => {
  if (Array.isArray(subject)) return subject.map((item, index) => [index, item])
  return Predicate.isObject(subject) ? Object.entries<Value>(subject as Schema.JsonObject) : []
}

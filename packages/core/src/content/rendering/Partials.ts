/**
 * Joins a text with the partials that it names and with its layout: a partial whose `{{> content}}` is replaced by the
 * text. Pure. A partial is compiled for itself, so a tag never begins in one text and ends in another.
 */
import { Result } from "effect"
import { bytesOf, maxText } from "./ByteLimit.ts"
import { compiled, type ParsedTemplate } from "./Template.ts"
import { type Flaw, faultAt, type TemplateFault } from "./TemplateFault.ts"

/** A partial as written: its HTML and its text. Null: text parts cannot include it. */
export interface PartialSource {
  readonly body: string
  readonly text: string | null
}

/** By name. */
export type PartialSources = ReadonlyMap<string, PartialSource>

export const noPartials: PartialSources = new Map()

/** Stands in a layout for the text. No partial has this name. */
export const contentName = "content"

/** The longest chain of partials that name each other. */
export const maxDepth = 5

/** Which text of a partial is printed. */
export type PartialPart = "body" | "text"

export interface TextSurroundings {
  readonly part: PartialPart
  readonly partials: PartialSources
  /** The name of a partial. Null prints the text alone. */
  readonly layout: string | null
}

/** What is rendered: the layout, or the text without one, and the partials by name. */
export interface Linked {
  readonly root: ParsedTemplate
  readonly partials: ReadonlyMap<string, ParsedTemplate>
  /** The text that stands in the layout. */
  readonly content: ParsedTemplate | undefined
}

/** A fault of a text, or of the layout that it names. */
export interface LinkFault {
  readonly at: "text" | "layout"
  readonly fault: TemplateFault
}

/** A text without partials and layout is returned unchanged. */
export const link = (
  template: ParsedTemplate,
  { part, partials, layout }: TextSurroundings
): Result.Result<Linked, LinkFault> => {
  if (template.partials.length === 0 && layout === null) {
    return Result.succeed({ root: template, partials: none, content: undefined })
  }
  const linker = new Linker(partials, part)
  return Result.gen(function* () {
    const bytes = yield* linker
      .joined(template, [])
      .pipe(Result.mapError((flaw): LinkFault => ({ at: "text", fault: faultAt(template.source, flaw) })))
    const outer = layout === null ? undefined : yield* layoutOf(linker, layout, bytes)
    return outer === undefined
      ? { root: template, partials: linker.known, content: undefined }
      : { root: outer, partials: linker.known, content: template }
  })
}

const none: ReadonlyMap<string, ParsedTemplate> = new Map()

/** The faults of a partial itself, with the partials that it names. It may hold `{{> content}}`. */
export const partialFault = (
  name: string,
  template: ParsedTemplate,
  part: PartialPart,
  partials: PartialSources
): TemplateFault | undefined =>
  Result.match(new Linker(partials, part).joined(template, [name]), {
    onSuccess: () => undefined,
    onFailure: (flaw) => faultAt(template.source, flaw)
  })

/** Why a partial is no layout. Undefined if it is one. */
export const layoutFlaw = (template: ParsedTemplate): string | undefined => {
  const places = template.partials.filter(({ name }) => name === contentName)
  if (places.length !== 1) return `A layout holds {{> ${contentName}}} exactly once.`
  if (places[0]?.isRepeated) return `In a layout, {{> ${contentName}}} is not allowed in {{#each}}.`
  return places[0]?.parameters.length ? `{{> ${contentName}}} takes no parameters.` : undefined
}

/** Undefined if the layout has no text of this kind: the text then stands alone. */
const layoutOf = (
  linker: Linker,
  name: string,
  bytes: number
): Result.Result<ParsedTemplate | undefined, LinkFault> => {
  const refused = (message: string) =>
    Result.fail<LinkFault>({ at: "layout", fault: { message: `Layout '${name}': ${message}`, line: 1, column: 1 } })
  const source = linker.sourceOf(name)
  if (source === undefined) return refused("there is no such partial.")
  if (source === null) return Result.succeed(undefined)
  const template = compiled(source)
  if (Result.isFailure(template)) return refused(template.failure.message)
  const flaw = layoutFlaw(template.success)
  if (flaw !== undefined) return refused(flaw)
  const joined = linker.joined(template.success, [name])
  if (Result.isFailure(joined)) return refused(joined.failure.message)
  return joined.success + bytes > maxText ? refused(tooLarge) : Result.succeed(template.success)
}

interface Measure {
  /** The longest chain of partials from this one on, itself included. */
  readonly depth: number
  /** Of the source, with all partials inserted. */
  readonly bytes: number
}

const tooLarge = "With its partials, the text is larger than 5 MB."

class Linker {
  readonly known = new Map<string, ParsedTemplate>()
  private readonly measures = new Map<string, Measure>()
  private readonly partials: PartialSources
  private readonly part: PartialPart

  constructor(partials: PartialSources, part: PartialPart) {
    this.partials = partials
    this.part = part
  }

  /** Undefined without such a partial, null if it has no text. */
  sourceOf(name: string): string | null | undefined {
    const source = name === contentName ? undefined : this.partials.get(name)
    return this.part === "body" ? source?.body : source?.text
  }

  /** The bytes of a text with its partials. `chain` names the partial that the text is of. */
  joined(template: ParsedTemplate, chain: ReadonlyArray<string>): Result.Result<number, Flaw> {
    let bytes = bytesOf(template.source)
    for (const { name, at } of template.partials) {
      if (name === contentName && chain.length === 1) continue
      const found = this.measure(name, chain)
      if (Result.isFailure(found)) return Result.fail({ message: found.failure, at })
      bytes += found.success.bytes
      if (chain.length + found.success.depth > maxDepth) return Result.fail({ message: tooDeep(name), at })
      if (bytes > maxText) return Result.fail({ message: tooLarge, at })
    }
    return Result.succeed(bytes)
  }

  private measure(name: string, chain: ReadonlyArray<string>, by?: string): Result.Result<Measure, string> {
    if (chain.includes(name)) {
      return Result.fail(`Partials include each other in a cycle: ${[...chain, name].join(" > ")}.`)
    }
    const known = this.measures.get(name)
    if (known !== undefined) return Result.succeed(known)
    const source = this.sourceOf(name)
    if (source === undefined) return Result.fail(missing(name, by))
    if (source === null) return Result.fail(`Partial '${name}' has no text, so no text part can name it.`)
    return Result.flatMap(
      Result.mapError(compiled(source), ({ message }) => `Partial '${name}': ${message}`),
      (template) => this.sum(name, template, [...chain, name])
    )
  }

  private sum(name: string, template: ParsedTemplate, chain: ReadonlyArray<string>): Result.Result<Measure, string> {
    let bytes = bytesOf(template.source)
    let depth = 1
    for (const inner of template.partials) {
      if (inner.name === contentName) {
        return Result.fail(`Partial '${name}' holds {{> ${contentName}}}: it is named as a layout, not inserted.`)
      }
      const found = this.measure(inner.name, chain, name)
      if (Result.isFailure(found)) return Result.fail(found.failure)
      depth = Math.max(depth, 1 + found.success.depth)
      bytes = Math.min(bytes + found.success.bytes, 2 * maxText)
    }
    this.known.set(name, template)
    this.measures.set(name, { depth, bytes })
    return Result.succeed({ depth, bytes })
  }
}

const tooDeep = (name: string): string =>
  `Partials name each other at most ${maxDepth} deep, and '${name}' goes deeper.`

const missing = (name: string, by: string | undefined): string => {
  if (name === contentName) return `{{> ${contentName}}} stands only in a layout.`
  return `There is no partial '${name}'${by === undefined ? "" : `, which '${by}' names`}.`
}

/** The same as the SQL function `partials_in`: includes names in comments. */
const tags = /\{\{~?>\s*([a-z0-9][a-z0-9-]{0,63})(?![a-z0-9-])/g

/** The partials that texts may name, without `content`. A project has fewer than these. */
export const partialNames = (...texts: ReadonlyArray<string | null | undefined>): ReadonlyArray<string> => {
  const names = new Set<string>()
  for (const text of texts) {
    for (const [, name = ""] of text?.matchAll(tags) ?? []) {
      if (name !== contentName) names.add(name)
      if (names.size === maxNames) return [...names]
    }
  }
  return [...names]
}

/** More than a project has: one of so many does not exist, and the text is refused. */
const maxNames = 1_000

/** Templates ready to render, made once for each source. */
import { Effect, Result } from "effect"
import { megabyte } from "./ByteLimit.ts"
import { type TemplateFault, TemplateInvalid } from "./TemplateFault.ts"
import { hasPlaceholders, parseTemplate } from "./TemplateSyntax.ts"
import type { Node } from "./TemplateTree.ts"

/**
 * Immutable, safe to share. It is data that rendering walks. Handlebars' own compiler, which turns a template into
 * JavaScript (`new Function`), is not used: so nothing of a template or its data ever becomes code, the budget is
 * watched while the text grows, and hosts that forbid code generation can render.
 */
export interface Template {
  readonly source: string
  /** The source holds no placeholder and is used as is. */
  readonly verbatim: boolean
  readonly nodes: ReadonlyArray<Node>
}

/** The template of a source, kept with the last few hundred. */
export const compile = (source: string): Effect.Effect<Template, TemplateInvalid> =>
  Effect.suspend(() => Effect.fromResult(Result.mapError(compiled(source), (fault) => new TemplateInvalid({ fault }))))

const maxEntries = 500
const maxWeight = 32 * megabyte
/** What is larger is made anew each time, so that one source cannot push out all others. */
const maxEntryWeight = 4 * megabyte
/** Bytes of a node and what hangs on it, about. */
const nodeWeight = 300

interface Entry {
  readonly template: Template
  readonly weight: number
}

/** In the order of last use. */
const entries = new Map<string, Entry>()
let weight = 0

const compiled = (source: string): Result.Result<Template, TemplateFault> => {
  if (!hasPlaceholders(source)) return Result.succeed({ source, verbatim: true, nodes: [] })
  const known = entries.get(source)
  if (known !== undefined) {
    entries.delete(source)
    entries.set(source, known)
    return Result.succeed(known.template)
  }
  return Result.map(parseTemplate(source), (nodes) => {
    const template = { source, verbatim: false, nodes }
    keep(source, { template, weight: 2 * source.length + nodeWeight * count(nodes) })
    return template
  })
}

const count = (nodes: ReadonlyArray<Node>): number =>
  nodes.reduce((sum, node) => sum + 1 + (node._tag === "Block" ? count(node.body) + count(node.otherwise) : 0), 0)

const keep = (source: string, entry: Entry) => {
  if (entry.weight > maxEntryWeight) return
  entries.set(source, entry)
  weight += entry.weight
  for (const [oldest, { weight: freed }] of entries) {
    if (entries.size <= maxEntries && weight <= maxWeight) break
    entries.delete(oldest)
    weight -= freed
  }
}

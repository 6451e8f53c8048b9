/** Compiles sources to templates and caches them. */
import { Effect, Result } from "effect"
import { megabyte } from "./ByteLimit.ts"
import { type TemplateFault, TemplateInvalid } from "./TemplateFault.ts"
import { hasPlaceholders, parseTemplate } from "./TemplateSyntax.ts"
import type { Node, PartialNode } from "./TemplateTree.ts"

/**
 * A compiled template: immutable data that rendering walks. It is safe to share. Rendering does not use the Handlebars
 * compiler, which turns a template into JavaScript with `new Function`. So a template and its data never become code,
 * the budget is checked as the text grows, and rendering works on hosts that forbid code generation.
 */
export interface ParsedTemplate {
  readonly source: string
  /** The source has no placeholder and is used unchanged. */
  readonly verbatim: boolean
  readonly nodes: ReadonlyArray<Node>
  /** The partials that the source names, in their order. */
  readonly partials: ReadonlyArray<PartialNamed>
}

export interface PartialNamed extends PartialNode {
  /** Whether it may be printed several times, because it stands in a loop. */
  readonly isRepeated: boolean
}

/** Compiles a source. The last few hundred templates are cached. */
export const compile = (source: string): Effect.Effect<ParsedTemplate, TemplateInvalid> =>
  Effect.suspend(() => Effect.fromResult(Result.mapError(compiled(source), (fault) => new TemplateInvalid({ fault }))))

/** The approximate size in bytes of a node and the values that belong to it. */
const nodeWeight = 300

interface Entry {
  readonly template: ParsedTemplate
  readonly weight: number
}

/** Templates in the order of last use, limited in number and in bytes. */
class Shelf {
  private readonly entries = new Map<string, Entry>()
  private weight = 0
  private readonly maxEntries: number
  private readonly maxWeight: number

  constructor(maxEntries: number, maxWeight: number) {
    this.maxEntries = maxEntries
    this.maxWeight = maxWeight
  }

  get(source: string): ParsedTemplate | undefined {
    const known = this.entries.get(source)
    if (known === undefined) return undefined
    this.entries.delete(source)
    this.entries.set(source, known)
    return known.template
  }

  /** Adds an entry. The newest entry always stays, whatever its size. */
  keep(source: string, entry: Entry): void {
    this.entries.set(source, entry)
    this.weight += entry.weight
    for (const [oldest, { weight }] of this.entries) {
      if (oldest === source || (this.entries.size <= this.maxEntries && this.weight <= this.maxWeight)) break
      this.entries.delete(oldest)
      this.weight -= weight
    }
  }
}

/** Large sources have their own cache, so that one of them cannot evict all others. */
const small = new Shelf(500, 32 * megabyte)
const large = new Shelf(50, 64 * megabyte)
const largeWeight = 4 * megabyte

/** A template that prints its source unchanged. */
const verbatim = (source: string): ParsedTemplate => ({ source, verbatim: true, nodes: [], partials: [] })

/** The same as `compile`, without Effect. Without interpolation, `{{` is text. */
export const compiled = (source: string, interpolate = true): Result.Result<ParsedTemplate, TemplateFault> => {
  if (!interpolate || !hasPlaceholders(source)) return Result.succeed(verbatim(source))
  const known = small.get(source) ?? large.get(source)
  if (known !== undefined) return Result.succeed(known)
  return Result.map(parseTemplate(source), (nodes) => {
    const template = { source, verbatim: false, nodes, partials: partialsIn(nodes) }
    const weight = 2 * source.length + nodeWeight * count(nodes)
    const shelf = weight > largeWeight ? large : small
    shelf.keep(source, { template, weight })
    return template
  })
}

const count = (nodes: ReadonlyArray<Node>): number =>
  nodes.reduce((sum, node) => sum + 1 + (node._tag === "Block" ? count(node.body) + count(node.otherwise) : 0), 0)

const partialsIn = (
  nodes: ReadonlyArray<Node>,
  isRepeated = false,
  found: Array<PartialNamed> = []
): ReadonlyArray<PartialNamed> => {
  for (const node of nodes) {
    if (node._tag === "Partial") found.push({ ...node, isRepeated })
    if (node._tag !== "Block") continue
    partialsIn(node.body, isRepeated || node.block === "each", found)
    partialsIn(node.otherwise, isRepeated, found)
  }
  return found
}

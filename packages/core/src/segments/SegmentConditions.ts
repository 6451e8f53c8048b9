/** Conditions of segments: read, with all that they name, and what they react to. */
import type { ProjectId } from "@posthorn/contract/Auth"
import { ValidationError } from "@posthorn/contract/Errors"
import type { Condition } from "@posthorn/contract/filters/Condition"
import { FilterTree } from "@posthorn/contract/filters/FilterTree"
import { parseTree } from "@posthorn/contract/filters/ParseTree"
import { type Segment, SegmentId } from "@posthorn/contract/segments/Segment"
import { Array, type DateTime, Effect, Result, Schema } from "effect"
import { dependenciesOf, expandedSize, maxExpandedSize, segmentsNamed } from "../filters/Dependencies.ts"
import type { SegmentDefinition } from "../filters/SegmentDefinitions.ts"
import { faultsOf } from "../http/Faults.ts"
import { anything } from "./ChangeNotes.ts"
import { dependents, type Reference, referenceFaults } from "./SegmentGraph.ts"
import type { Audience } from "./SegmentMemberStore.ts"
import type { Links, SegmentStore } from "./SegmentStore.ts"

const decode = Schema.decodeUnknownEffect(Schema.Struct({ condition: FilterTree }), {
  errors: "all",
  reportInput: true
})

/** A condition that came with a body whose schema could not judge it. */
export const readCondition = (condition: unknown): Effect.Effect<FilterTree, ValidationError> =>
  decode({ condition }).pipe(
    Effect.map((body) => body.condition),
    Effect.mapError(({ issue }) => new ValidationError({ errors: faultsOf(issue) }))
  )

const membership = new Set<string>(["memberOfSegment", "notMemberOfSegment"])

/** Every place that names a segment. */
const referencesIn = (tree: FilterTree, field: string): ReadonlyArray<Reference> =>
  tree.groups.flatMap(({ filters, conditions }, n) => {
    const group = `${field}.groups.${n}`
    const own = (filters ?? []).flatMap((filter, n) => {
      if (!membership.has(filter.operator)) return []
      const segment = SegmentId.make(filter.field.slice("segment.".length).toLowerCase())
      return [{ field: `${group}.filters.${n}.field`, segment }]
    })
    return conditions ? [...own, ...referencesIn(conditions, `${group}.conditions`)] : own
  })

/** A tree was judged before it was stored. */
const conditionOf = (tree: FilterTree): Condition =>
  Result.getOrThrowWith(parseTree(tree, "audience"), () => new Error("A stored condition cannot be read"))

const named = (tree: FilterTree): ReadonlyArray<SegmentId> =>
  Array.dedupe(referencesIn(tree, "").map(({ segment }) => segment))

export const linksOf = (tree: FilterTree | null): Links =>
  tree === null
    ? { refersTo: [], names: [] }
    : { refersTo: named(tree), names: [anything, ...dependenciesOf(conditionOf(tree)).names] }

/**
 * Refuses a condition that names what is not there, or that would have segments refer to each other in circles, in long
 * rows or very often. `id` is the segment that it becomes the condition of; `segments` are all of the project.
 */
export const requireSoundReferences = (
  segments: ReadonlyArray<Segment>,
  id: SegmentId | undefined,
  tree: FilterTree,
  field: string
): Effect.Effect<void, ValidationError> => {
  const graph = new Map(segments.map(({ id, condition }) => [id, condition === null ? [] : named(condition)]))
  const errors = referenceFaults(graph, id, referencesIn(tree, field))
  if (errors.length > 0) return Effect.fail(new ValidationError({ errors: errors.slice(0, 50) }))

  const own: SegmentDefinition = { type: "DYNAMIC", condition: conditionOf(tree) }
  const definitions = new Map(segments.map((segment) => [segment.id as string, definitionOf(segment)]))
  if (id !== undefined) definitions.set(id, own)
  const changed = id === undefined ? [own] : [...dependents(graph, id)].map((each) => definitions.get(each) ?? own)
  const isTooBig = changed.some(
    (each) => each.type === "DYNAMIC" && expandedSize(each.condition, definitions) > maxExpandedSize
  )
  const message = `With those of the segments it names, this condition, or one that names its segment, comes to more than ${maxExpandedSize} filters.`
  return isTooBig ? Effect.fail(ValidationError.one(field, "too_big", message)) : Effect.void
}

const definitionOf = ({ condition }: Segment): SegmentDefinition =>
  condition === null ? { type: "STATIC" } : { type: "DYNAMIC", condition: conditionOf(condition) }

const definitionsOf = Effect.fnUntraced(function* (
  store: SegmentStore["Service"],
  project: ProjectId,
  ids: ReadonlyArray<SegmentId>
) {
  const reached = ids.length === 0 ? [] : yield* store.closure(project, ids)
  return new Map(reached.map((segment) => [segment.id as string, definitionOf(segment)]))
})

/** What a condition that was read already needs to know of segments. */
export const definitionsFor = (store: SegmentStore["Service"], project: ProjectId, condition: Condition) =>
  definitionsOf(
    store,
    project,
    segmentsNamed(condition).map((id) => SegmentId.make(id))
  )

/** The contacts that a condition holds for at a time, with all that it needs to know of segments. */
export const audienceOf = Effect.fnUntraced(function* (
  store: SegmentStore["Service"],
  project: ProjectId,
  tree: FilterTree,
  now: DateTime.Utc
) {
  const segments = yield* definitionsOf(store, project, named(tree))
  return { condition: conditionOf(tree), scope: { project, now, segments } } satisfies Audience
})

/** Reads the conditions of segments with the segments they name, and what they react to. */

import type { Condition } from "@posthorn/contract/audience/filters/Condition"
import { FilterTree } from "@posthorn/contract/audience/filters/FilterTree"
import { parseTree } from "@posthorn/contract/audience/filters/ParseTree"
import { type Segment, SegmentId } from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { ValidationError } from "@posthorn/contract/platform/Errors"
import { Array, type DateTime, Effect, Result, Schema } from "effect"
import { anything } from "../../events/ChangeNotes.ts"
import { faultsOf } from "../../platform/http/Faults.ts"
import { dependenciesOf, expandedSize, maxExpandedSize, segmentsNamed } from "../filters/Dependencies.ts"
import type { Audience } from "../filters/FilterScope.ts"
import type { SegmentDefinition } from "../filters/SegmentDefinitions.ts"
import { dependents, type Reference, referenceFaults } from "./SegmentGraph.ts"
import type { Links, SegmentStore } from "./SegmentStore.ts"

const decode = Schema.decodeUnknownEffect(Schema.Struct({ condition: FilterTree }), {
  errors: "all",
  reportInput: true
})

/** Parses a condition from a body whose schema could not validate it. */
export const readCondition = (condition: unknown): Effect.Effect<FilterTree, ValidationError> =>
  decode({ condition }).pipe(
    Effect.map((body) => body.condition),
    Effect.mapError(({ issue }) => new ValidationError({ errors: faultsOf(issue) }))
  )

const membership = new Set<string>(["memberOfSegment", "notMemberOfSegment"])

/** Every place in the tree that names a segment. */
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

/** The tree was validated before it was stored, so it always parses. */
const conditionOf = (tree: FilterTree): Condition =>
  Result.getOrThrowWith(parseTree(tree, "audience"), () => new Error("A stored condition cannot be read"))

const named = (tree: FilterTree): ReadonlyArray<SegmentId> =>
  Array.dedupe(referencesIn(tree, "").map(({ segment }) => segment))

export const linksOf = (tree: FilterTree | null): Links =>
  tree === null
    ? { refersTo: [], names: [] }
    : { refersTo: named(tree), names: [anything, ...dependenciesOf(conditionOf(tree)).names] }

/**
 * Rejects a condition that names a missing segment, or that makes segments refer to each other in a circle, in chains
 * that are too long or too often. `id` is the segment that gets the condition. `segments` are all segments of the
 * project.
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

/** The segment definitions that a parsed condition needs. */
export const definitionsFor = (store: SegmentStore["Service"], project: ProjectId, condition: Condition) =>
  definitionsOf(
    store,
    project,
    segmentsNamed(condition).map((id) => SegmentId.make(id))
  )

/** The audience of each of a project's segments, which are all given. */
export const audiencesOf = (project: ProjectId, all: ReadonlyArray<Segment>, now: DateTime.Utc) => {
  const segments = new Map(all.map((segment) => [segment.id as string, definitionOf(segment)]))
  return all.map((segment) => {
    const condition: Condition = { _tag: "Membership", segment: segment.id, member: true }
    return { segment, audience: { condition, scope: { project, now, segments } } satisfies Audience }
  })
}

/** The contacts for which a condition holds at a time, with the segment definitions it needs. */
export const audienceOf = Effect.fnUntraced(function* (
  store: SegmentStore["Service"],
  project: ProjectId,
  tree: FilterTree,
  now: DateTime.Utc
) {
  const segments = yield* definitionsOf(store, project, named(tree))
  return { condition: conditionOf(tree), scope: { project, now, segments } } satisfies Audience
})

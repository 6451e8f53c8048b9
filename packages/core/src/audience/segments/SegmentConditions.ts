/** Reads the conditions of segments with the segments and topics they name, and what they react to. */

import type { Condition } from "@posthorn/contract/audience/filters/Condition"
import { FilterTree } from "@posthorn/contract/audience/filters/FilterTree"
import { allows } from "@posthorn/contract/audience/filters/Operators"
import { parseTree } from "@posthorn/contract/audience/filters/ParseTree"
import { topicKey } from "@posthorn/contract/audience/filters/TopicFields"
import { type Segment, SegmentId } from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { ValidationError } from "@posthorn/contract/platform/Errors"
import { Array, type DateTime, Effect, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { anything } from "../../events/ChangeNotes.ts"
import { faultsOf } from "../../platform/http/Faults.ts"
import {
  dependenciesOf,
  expandedSize,
  formsNamed,
  maxExpandedSize,
  segmentsNamed,
  topicsNamed
} from "../filters/Dependencies.ts"
import type { Audience } from "../filters/FilterScope.ts"
import type { Definitions, SegmentDefinition } from "../filters/SegmentDefinitions.ts"
import { knownForms } from "../forms/FormEvents.ts"
import { topicDefinitions } from "../topics/TopicDefinitions.ts"
import { dependents, type Reference, referenceFaults } from "./SegmentGraph.ts"
import { type Links, SegmentStore } from "./SegmentStore.ts"

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

/** Every place in the tree that names a topic. */
const topicsIn = (
  tree: FilterTree,
  field: string
): ReadonlyArray<{ readonly field: string; readonly key: string; readonly received: string }> =>
  tree.groups.flatMap(({ filters, conditions }, n) => {
    const group = `${field}.groups.${n}`
    const own = (filters ?? []).flatMap(({ field: received, operator }, n) => {
      const topic = allows("history", operator) ? undefined : topicKey(received.replace(/^contact\./, ""))
      return topic === undefined ? [] : [{ field: `${group}.filters.${n}.field`, key: topic.key, received }]
    })
    return conditions ? [...own, ...topicsIn(conditions, `${group}.conditions`)] : own
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

/**
 * Whether its count can change while the marks of `ChangeMarks.ts` stay: with time alone, or because a contact was added
 * to a segment by hand.
 */
export const changesAlone = ({ condition, scope }: Audience): boolean => {
  const named = [...scope.segments.values()]
  return (
    named.some(({ type }) => type === "STATIC") ||
    [condition, ...named.flatMap(conditionsIn)].some((each) => dependenciesOf(each).onTime)
  )
}

const definitionOf = ({ condition }: Segment): SegmentDefinition =>
  condition === null ? { type: "STATIC" } : { type: "DYNAMIC", condition: conditionOf(condition) }

const conditionsIn = (definition: SegmentDefinition): ReadonlyArray<Condition> =>
  definition.type === "STATIC" ? [] : [definition.condition]

export const make = Effect.gen(function* () {
  const store = yield* SegmentStore
  const sql = yield* SqlClient.SqlClient

  const definitions = Effect.fnUntraced(function* (
    project: ProjectId,
    all: ReadonlyArray<Segment>,
    own: ReadonlyArray<Condition>
  ) {
    const segments = new Map(all.map((segment) => [segment.id as string, definitionOf(segment)]))
    const conditions = [...own, ...[...segments.values()].flatMap(conditionsIn)]
    return {
      segments,
      topics: yield* topicDefinitions(sql, project, Array.dedupe(conditions.flatMap(topicsNamed))),
      forms: yield* knownForms(sql, project, Array.dedupe(conditions.flatMap(formsNamed)))
    } satisfies Definitions
  })

  /** The definitions that a parsed condition needs. */
  const definitionsFor = Effect.fnUntraced(function* (project: ProjectId, condition: Condition) {
    const ids = segmentsNamed(condition).map((id) => SegmentId.make(id))
    const reached = ids.length === 0 ? [] : yield* store.closure(project, ids)
    return yield* definitions(project, reached, [condition])
  })

  /** The audience of each of a project's segments, which are all given. */
  const audiencesOf = Effect.fnUntraced(function* (project: ProjectId, all: ReadonlyArray<Segment>, now: DateTime.Utc) {
    const known = yield* definitions(project, all, [])
    return all.map((segment) => {
      const condition: Condition = { _tag: "Membership", segment: segment.id, member: true }
      return { segment, audience: { condition, scope: { project, now, ...known } } satisfies Audience }
    })
  })

  /** The contacts for which a condition holds at a time, with the definitions it needs. */
  const audienceOf = Effect.fnUntraced(function* (project: ProjectId, tree: FilterTree, now: DateTime.Utc) {
    const condition = conditionOf(tree)
    const known = yield* definitionsFor(project, condition)
    return { condition, scope: { project, now, ...known } } satisfies Audience
  })

  /** Rejects a condition that names a missing topic. The topics stay until the caller's transaction ends. */
  const requireTopics = Effect.fnUntraced(function* (project: ProjectId, tree: FilterTree, field: string) {
    const named = topicsIn(tree, field)
    const known = yield* topicDefinitions(sql, project, Array.dedupe(named.map(({ key }) => key)), true)
    const errors = named
      .filter(({ key }) => !known.has(key))
      .map(({ field, received }) => ({
        field,
        code: "custom" as const,
        message: "No such topic in this project.",
        received
      }))
    if (errors.length > 0) return yield* new ValidationError({ errors: errors.slice(0, 50) })
  })

  return { definitionsFor, audiencesOf, audienceOf, requireTopics }
})

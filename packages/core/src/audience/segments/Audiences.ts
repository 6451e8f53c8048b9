/** Checks conditions on contacts and prepares them for SQL statements, for capabilities that build on segments. */

import type { Condition } from "@posthorn/contract/audience/filters/Condition"
import type { FilterTree } from "@posthorn/contract/audience/filters/FilterTree"
import type { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { ValidationError } from "@posthorn/contract/platform/Errors"
import { type DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Audience } from "../filters/FilterScope.ts"
import type { Definitions } from "../filters/SegmentDefinitions.ts"
import * as SegmentConditions from "./SegmentConditions.ts"
import { linksOf, requireSoundReferences } from "./SegmentConditions.ts"
import { SegmentStore } from "./SegmentStore.ts"

export type { Audience } from "../filters/FilterScope.ts"

export interface Audiences {
  /** The contacts for which the condition holds at that time. */
  readonly of: (project: ProjectId, tree: FilterTree, now: DateTime.Utc) => Effect.Effect<Audience>
  /** The definitions of the segments and topics that a parsed condition names. */
  readonly definitions: (project: ProjectId, condition: Condition) => Effect.Effect<Definitions>
  /** Prevents changes to all segments of the project, and their deletion, until the transaction ends. */
  readonly hold: (project: ProjectId) => Effect.Effect<void>
  /** Rejects a condition that refers to something missing, or that is too large. `field` is the field of the tree. */
  readonly requireSound: (project: ProjectId, tree: FilterTree, field: string) => Effect.Effect<void, ValidationError>
}

export type Needs = SegmentStore | SqlClient.SqlClient

export const make: Effect.Effect<Audiences, never, Needs> = Effect.gen(function* () {
  const store = yield* SegmentStore
  const conditions = yield* SegmentConditions.make
  return {
    of: conditions.audienceOf,
    definitions: conditions.definitionsFor,
    hold: store.lockGraph,
    requireSound: Effect.fn("Audiences.requireSound")(function* (project, tree, field) {
      yield* conditions.requireTopics(project, tree, field)
      if (linksOf(tree).refersTo.length === 0) return
      yield* requireSoundReferences(yield* store.list(project), undefined, tree, field)
    })
  } satisfies Audiences
})

/** The condition that holds for the members of the segment. */
export const membersOf = (segment: SegmentId | string): FilterTree => ({
  groups: [{ filters: [{ field: `segment.${segment}`, operator: "memberOfSegment" }] }]
})

/** The segments that a condition names. */
export const segmentsIn = (tree: FilterTree): ReadonlyArray<SegmentId> => linksOf(tree).refersTo

/** What a condition depends on, as `data.<top-level key>`, `email` and so on. */
export const fieldsIn = (tree: FilterTree): ReadonlyArray<string> => linksOf(tree).names

/** Conditions on contacts for capabilities that are built on segments: checked, and ready for a statement. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { ValidationError } from "@posthorn/contract/Errors"
import type { Condition } from "@posthorn/contract/filters/Condition"
import type { FilterTree } from "@posthorn/contract/filters/FilterTree"
import type { SegmentId } from "@posthorn/contract/segments/Segment"
import { Context, type DateTime, Effect, Layer } from "effect"
import type { SegmentDefinitions } from "../filters/SegmentDefinitions.ts"
import { audienceOf, definitionsFor, linksOf, requireSoundReferences } from "./SegmentConditions.ts"
import type { Audience } from "./SegmentMemberStore.ts"
import { SegmentStore } from "./SegmentStore.ts"

export type { Audience } from "./SegmentMemberStore.ts"

export class Audiences extends Context.Service<
  Audiences,
  {
    /** The contacts that the condition holds for at that time. */
    readonly of: (project: ProjectId, tree: FilterTree, now: DateTime.Utc) => Effect.Effect<Audience>
    /** What a condition needs to know of the segments that it names, read already. */
    readonly definitions: (project: ProjectId, condition: Condition) => Effect.Effect<SegmentDefinitions>
    /** Until the transaction ends no segment of the project changes or goes. */
    readonly hold: (project: ProjectId) => Effect.Effect<void>
    /** Refuses a condition that names what is not there, or too much; `field` is that of the tree. */
    readonly requireSound: (project: ProjectId, tree: FilterTree, field: string) => Effect.Effect<void, ValidationError>
  }
>()("@posthorn/core/segments/Audiences") {}

export const layer: Layer.Layer<Audiences, never, SegmentStore> = Layer.effect(
  Audiences,
  Effect.map(SegmentStore, (store) =>
    Audiences.of({
      of: (project, tree, now) => audienceOf(store, project, tree, now),
      definitions: (project, condition) => definitionsFor(store, project, condition),
      hold: store.lockGraph,
      requireSound: Effect.fn("Audiences.requireSound")(function* (project, tree, field) {
        if (linksOf(tree).refersTo.length === 0) return
        yield* requireSoundReferences(yield* store.list(project), undefined, tree, field)
      })
    })
  )
)

/** Who is in a segment, as a condition. */
export const membersOf = (segment: SegmentId | string): FilterTree => ({
  groups: [{ filters: [{ field: `segment.${segment}`, operator: "memberOfSegment" }] }]
})

/** The segments that a condition names. */
export const segmentsIn = (tree: FilterTree): ReadonlyArray<SegmentId> => linksOf(tree).refersTo

/** What a condition looks at, as `data.<top-level key>`, `email` and the like. */
export const fieldsIn = (tree: FilterTree): ReadonlyArray<string> => linksOf(tree).names

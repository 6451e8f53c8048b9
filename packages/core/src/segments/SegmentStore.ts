/** Where segments live. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { Segment, SegmentId } from "@posthorn/contract/segments/Segment"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** What callers write; the rest of a segment is the service's own. */
export type SegmentContent = Pick<Segment, "name" | "description" | "condition" | "trackMembership">

/** What a condition tells of its segment, kept beside it. */
export interface Links {
  /** The segments it names. */
  readonly refersTo: ReadonlyArray<SegmentId>
  /** What it reacts to, as in `ChangeNotes.ts`. */
  readonly names: ReadonlyArray<string>
}

export interface NewSegment extends SegmentContent, Links, Pick<Segment, "id" | "slug" | "type" | "memberCount"> {}

export interface ReactingSegment {
  readonly segment: Segment
  readonly reactsTo: ReadonlyArray<string>
}

/** Where a walk over the segments of all projects stands. */
export type SegmentPosition = Pick<Segment, "projectId" | "id">

/**
 * Storage port of segments. Every method takes the project first: no query without it.
 * `now` is the caller's clock and becomes `createdAt` and, where a caller's value changes, `updatedAt`.
 */
export class SegmentStore extends Context.Service<
  SegmentStore,
  {
    /** None when the slug is taken, also by a segment that is made at the same moment. */
    readonly insert: (
      project: ProjectId,
      segment: NewSegment,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Segment>>
    /** Of `slug`, `slug-2`, `slug-3` and on those that are taken. */
    readonly takenSlugs: (project: ProjectId, slug: string) => Effect.Effect<ReadonlySet<string>>
    /** Newest first. */
    readonly list: (project: ProjectId) => Effect.Effect<ReadonlyArray<Segment>>
    readonly find: (project: ProjectId, id: SegmentId) => Effect.Effect<Option.Option<Segment>>
    /** Holds the segment until the transaction ends: its members and its count change under this lock alone. */
    readonly lock: (project: ProjectId, id: SegmentId) => Effect.Effect<Option.Option<Segment>>
    /** Holds the tracked dynamic segments that react to one of the names, in the order of their ids. */
    readonly lockReacting: (
      project: ProjectId,
      names: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<ReactingSegment>>
    /**
     * Claims the turn to compute the segment, for 30 seconds on the clock of the database; false while another has it.
     * `owner` is the name of one compute.
     */
    readonly claimTurn: (project: ProjectId, id: SegmentId, owner: string) => Effect.Effect<boolean>
    /** Renews the turn and locks the segment; none when the turn or the segment is gone. */
    readonly holdTurn: (project: ProjectId, id: SegmentId, owner: string) => Effect.Effect<Option.Option<Segment>>
    readonly releaseTurn: (project: ProjectId, id: SegmentId, owner: string) => Effect.Effect<void>
    /** Changes the fields that are there; none when there is no such segment. */
    readonly update: (
      project: ProjectId,
      id: SegmentId,
      change: Partial<SegmentContent & Links>,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Segment>>
    /** `settled` when it is the number of stored members: from then on joins and leaves are added to it. */
    readonly setCount: (project: ProjectId, id: SegmentId, memberCount: number, settled: boolean) => Effect.Effect<void>
    /** A count that says nothing of the stored members: unless it is the same, they have to be counted anew. */
    readonly refreshCount: (project: ProjectId, id: SegmentId, memberCount: number) => Effect.Effect<void>
    /** Adds joins and takes away leaves, where the count is that of the stored members. */
    readonly addToCount: (project: ProjectId, id: SegmentId, difference: number) => Effect.Effect<void>
    /** True when there was something to delete. Memberships go with it. */
    readonly delete: (project: ProjectId, id: SegmentId) => Effect.Effect<boolean>
    /** Until the transaction ends nobody else changes what the project's segments refer to. */
    readonly lockGraph: (project: ProjectId) => Effect.Effect<void>
    /** Works out anew what the segment, and all that refer to it, react to. */
    readonly relink: (project: ProjectId, id: SegmentId) => Effect.Effect<void>
    /** The segments, and all that they refer to, however far away. */
    readonly closure: (project: ProjectId, ids: ReadonlyArray<SegmentId>) => Effect.Effect<ReadonlyArray<Segment>>
    /** Those whose condition names the segment. */
    readonly referring: (
      project: ProjectId,
      id: SegmentId
    ) => Effect.Effect<ReadonlyArray<Pick<Segment, "id" | "name">>>
    /** Those whose own condition looks at the name, as in `ChangeNotes.ts`. */
    readonly naming: (project: ProjectId, name: string) => Effect.Effect<ReadonlyArray<Pick<Segment, "id" | "name">>>
    /** Segments of all projects in a fixed order. */
    readonly walk: (limit: number, after?: SegmentPosition) => Effect.Effect<ReadonlyArray<Segment>>
  }
>()("@posthorn/core/segments/SegmentStore") {}

/** The storage port of segments. */

import type { Segment, SegmentId } from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** The fields that callers set. The service sets the others. */
export type SegmentContent = Pick<Segment, "name" | "description" | "condition" | "trackMembership">

/** What the condition of a segment refers to. Stored beside the condition. */
export interface Links {
  /** The segments that it names. */
  readonly refersTo: ReadonlyArray<SegmentId>
  /** What it reacts to, as in `ChangeNotes.ts`. */
  readonly names: ReadonlyArray<string>
}

export interface NewSegment extends SegmentContent, Links, Pick<Segment, "id" | "slug" | "type" | "memberCount"> {}

export interface ReactingSegment {
  readonly segment: Segment
  readonly reactsTo: ReadonlyArray<string>
}

/** A segment with what its count comes from. */
export interface CountedSegment extends ReactingSegment {
  /** As in `ChangeMarks.ts`. */
  readonly countedMark: string | null
  /** Whether the count is the number of stored members. */
  readonly settled: boolean
  /** Differs after each change of the stored segment, also of what it refers to. */
  readonly version: string
}

/**
 * Storage port of segments. Every method takes the project id first, so every query is limited to one project. `now` is
 * the caller's clock. It becomes `createdAt` and, if a field set by callers changes, `updatedAt`.
 */
export class SegmentStore extends Context.Service<
  SegmentStore,
  {
    /** Returns none if the slug is taken, even by a concurrent insert. */
    readonly insert: (
      project: ProjectId,
      segment: NewSegment,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Segment>>
    /** Which of `slug`, `slug-2`, `slug-3` and so on are taken. */
    readonly takenSlugs: (project: ProjectId, slug: string) => Effect.Effect<ReadonlySet<string>>
    /** Newest first. */
    readonly list: (project: ProjectId) => Effect.Effect<ReadonlyArray<Segment>>
    readonly find: (project: ProjectId, id: SegmentId) => Effect.Effect<Option.Option<Segment>>
    /** Locks the segment until the transaction ends. Its members and its count change only under this lock. */
    readonly lock: (project: ProjectId, id: SegmentId) => Effect.Effect<Option.Option<Segment>>
    /** Locks the tracked dynamic segments that react to one of the names, in the order of their ids. */
    readonly lockReacting: (
      project: ProjectId,
      names: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<ReactingSegment>>
    /**
     * Claims the turn to compute the segment, for 30 seconds of the database clock. Returns false while another compute
     * has it. `owner` identifies one compute.
     */
    readonly claimTurn: (project: ProjectId, id: SegmentId, owner: string) => Effect.Effect<boolean>
    /** Renews the turn and locks the segment. None if the turn or the segment is gone. */
    readonly holdTurn: (project: ProjectId, id: SegmentId, owner: string) => Effect.Effect<Option.Option<Segment>>
    readonly releaseTurn: (project: ProjectId, id: SegmentId, owner: string) => Effect.Effect<void>
    /**
     * Changes the given fields. Returns none, and stores nothing, if the segment does not exist, or if `updatedAt` is
     * given and differs from the stored one.
     */
    readonly update: (
      project: ProjectId,
      id: SegmentId,
      change: Partial<SegmentContent & Links>,
      now: DateTime.Utc,
      updatedAt?: DateTime.Utc | null
    ) => Effect.Effect<Option.Option<Segment>>
    /** The segments of the project in a fixed order, or only the given one. */
    readonly counted: (project: ProjectId, id?: SegmentId) => Effect.Effect<ReadonlyArray<CountedSegment>>
    /**
     * `settled` means that the count equals the number of stored members. Joins and leaves are then added to it. `mark`
     * is that of the data before it was counted, or null.
     */
    readonly setCount: (
      project: ProjectId,
      id: SegmentId,
      memberCount: number,
      settled: boolean,
      mark: string | null
    ) => Effect.Effect<void>
    /**
     * Sets a count that is independent of the stored members, unless the segment has changed since it was read. Unless
     * the number is unchanged, the members must be counted again.
     */
    readonly refreshCount: (counted: CountedSegment, memberCount: number, mark: string | null) => Effect.Effect<void>
    /** Returns true if a segment was deleted. Its memberships are deleted with it. */
    readonly delete: (project: ProjectId, id: SegmentId) => Effect.Effect<boolean>
    /**
     * Prevents other transactions from changing references between the project's segments until the transaction ends.
     */
    readonly lockGraph: (project: ProjectId) => Effect.Effect<void>
    /** Recomputes what the segment, and all segments that refer to it, react to. Their counts must be taken again. */
    readonly relink: (project: ProjectId, id: SegmentId) => Effect.Effect<void>
    /** The segments and all segments that they refer to, directly or indirectly. */
    readonly closure: (project: ProjectId, ids: ReadonlyArray<SegmentId>) => Effect.Effect<ReadonlyArray<Segment>>
    /** The segments whose condition names the segment. */
    readonly referring: (
      project: ProjectId,
      id: SegmentId
    ) => Effect.Effect<ReadonlyArray<Pick<Segment, "id" | "name">>>
    /** The segments whose own condition looks at the name, as in `ChangeNotes.ts`. */
    readonly naming: (project: ProjectId, name: string) => Effect.Effect<ReadonlyArray<Pick<Segment, "id" | "name">>>
  }
>()("@posthorn/core/audience/segments/SegmentStore") {}

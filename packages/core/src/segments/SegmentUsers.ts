/** Who else uses a segment: answered by capabilities that build on segments, and that segments do not know. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { SegmentId } from "@posthorn/contract/segments/Segment"
import { Context, type Effect } from "effect"

export interface SegmentUse {
  /** In DRAFT, SCHEDULED or SENDING. */
  readonly campaigns: ReadonlyArray<{ readonly id: string; readonly name: string; readonly status: string }>
  readonly workflows: ReadonlyArray<{ readonly id: string; readonly name: string }>
}

/** A segment cannot be deleted while one of them names it (contract 15.3). */
export class SegmentUsers extends Context.Service<
  SegmentUsers,
  {
    /** Joins the transaction of the deletion. */
    readonly of: (project: ProjectId, segment: SegmentId) => Effect.Effect<SegmentUse>
  }
>()("@posthorn/core/segments/SegmentUsers") {}

/**
 * Finds the uses of a segment. Capabilities that build on segments implement it, so that segments do not depend on
 * them.
 */

import type { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type Effect } from "effect"

export interface SegmentUse {
  /** Campaigns in DRAFT, SCHEDULED or SENDING. */
  readonly campaigns: ReadonlyArray<{ readonly id: string; readonly name: string; readonly status: string }>
  readonly workflows: ReadonlyArray<{ readonly id: string; readonly name: string }>
}

/** The uses that prevent the deletion of a segment. */
export class SegmentUsers extends Context.Service<
  SegmentUsers,
  {
    /** Joins the transaction of the deletion. */
    readonly of: (project: ProjectId, segment: SegmentId) => Effect.Effect<SegmentUse>
  }
>()("@posthorn/core/audience/segments/SegmentUsers") {}

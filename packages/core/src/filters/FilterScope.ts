import type { ProjectId } from "@posthorn/contract/Auth"
import type { DateTime, Schema } from "effect"
import type { SegmentDefinitions } from "./SegmentDefinitions.ts"

/** What a condition means beyond its own words. */
export interface FilterScope {
  readonly project: ProjectId
  /** Taken once per query, snapshot or step. */
  readonly now: DateTime.Utc
  /** Every segment the condition names, and those that their conditions name. */
  readonly segments: SegmentDefinitions
  /**
   * Whether the statement asks a few contacts only, picked by id: the events of each are then counted one by one, where
   * otherwise those of all are counted in one pass. Changes nothing but the plan.
   */
  readonly few?: boolean
  /** The variables of a workflow execution; none outside of workflows. */
  readonly context?: Schema.JsonObject
}

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
  /** The variables of a workflow execution; none outside of workflows. */
  readonly context?: Schema.JsonObject
}

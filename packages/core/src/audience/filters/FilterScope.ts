import type { Condition } from "@posthorn/contract/audience/filters/Condition"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { DateTime, Schema } from "effect"
import type { Definitions } from "./SegmentDefinitions.ts"

/**
 * The context in which a condition is evaluated, with every segment that the condition names, those that their
 * conditions name, and the topics that any of them names.
 */
export interface FilterScope extends Definitions {
  readonly project: ProjectId
  /** Read once per query, snapshot or step. */
  readonly now: DateTime.Utc
  /**
   * Whether the statement reads only a few contacts, selected by id. Their events are then counted contact by contact,
   * otherwise in one pass over all contacts. It affects only the plan.
   */
  readonly few?: boolean
  /** The variables of a workflow execution. Absent outside of workflows. */
  readonly context?: Schema.JsonObject
}

/** The contacts of a project for which a condition holds at one time. */
export interface Audience {
  readonly condition: Condition
  readonly scope: FilterScope
}

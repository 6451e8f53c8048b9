/** The storage port of schedule firings. */

import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect, type Option, type Schema } from "effect"
import type { Audience } from "../../../audience/segments/Audiences.ts"

export interface WorkflowKey {
  readonly project: ProjectId
  readonly workflow: WorkflowId
}

/** A workflow that is due. */
export interface DueSchedule extends WorkflowKey {
  readonly config: Schema.JsonObject
  readonly nextRunAt: DateTime.Utc
  /** Its project is disabled, so the firing is skipped. */
  readonly disabled: boolean
}

/** A firing that is under way. */
export interface Firing extends WorkflowKey {
  readonly config: Schema.JsonObject
  readonly scheduledFor: DateTime.Utc
  readonly failures: number
}

/** Storage port; what is taken is locked until the caller's transaction ends. */
export class FiringStore extends Context.Service<
  FiringStore,
  {
    readonly takeSchedule: (now: DateTime.Utc) => Effect.Effect<Option.Option<DueSchedule>>
    readonly reschedule: (key: WorkflowKey, next: DateTime.Utc | null) => Effect.Effect<void>
    /** Stores a firing. An existing one does not change. */
    readonly fire: (key: WorkflowKey, scheduledFor: DateTime.Utc, now: DateTime.Utc) => Effect.Effect<void>
    readonly takeFiring: (now: DateTime.Utc) => Effect.Effect<Option.Option<Firing>>
    /**
     * Starts executions for the next thousand or so of the audience that were there before the firing; tells how many.
     * A firing that has come to its end is not taken again.
     */
    readonly startSome: (firing: Firing, audience: Audience | undefined, now: DateTime.Utc) => Effect.Effect<number>
    /** Delays a firing that failed, and stores the reason. */
    readonly putOff: (firing: Firing, error: string, dueAt: DateTime.Utc) => Effect.Effect<void>
  }
>()("@posthorn/core/automation/workflows/start/FiringStore") {}

/** Where executions live, as callers see them. */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { PersonalData } from "@posthorn/contract/audience/contacts/ContactExport"
import type {
  Execution,
  ExecutionId,
  ExecutionStatus,
  StepExecution,
  StepExecutionId
} from "@posthorn/contract/automation/workflows/Execution"
import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Slice } from "../../../platform/OffsetPages.ts"

export interface ExecutionFilter {
  readonly status?: ReadonlyArray<ExecutionStatus> | undefined
  readonly contactId?: string | undefined
}

/** Why executions were ended from outside. */
export type CancelReason = "cancelled_by_user" | "project_disabled"

/** A port: a host may store executions elsewhere. Every method takes the project first. */
export class ExecutionStore extends Context.Service<
  ExecutionStore,
  {
    readonly find: (project: ProjectId, workflow: WorkflowId, id: string) => Effect.Effect<Option.Option<Execution>>
    /** Oldest first; the visit of the current step is PENDING until it has begun. */
    readonly visits: (project: ProjectId, id: ExecutionId) => Effect.Effect<ReadonlyArray<StepExecution>>
    /** Newest first. */
    readonly list: (
      project: ProjectId,
      workflow: WorkflowId,
      filter: ExecutionFilter,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<Execution>>
    readonly count: (project: ProjectId, workflow: WorkflowId, filter: ExecutionFilter) => Effect.Effect<number>
    /** The newest of a contact in a workflow, a live one before all others. */
    readonly lastOf: (
      project: ProjectId,
      workflow: WorkflowId,
      contact: ContactId
    ) => Effect.Effect<Option.Option<Pick<Execution, "id" | "status">>>
    /** Ends a live execution; false when there was none any more. */
    readonly cancel: (project: ProjectId, id: ExecutionId, now: DateTime.Utc) => Effect.Effect<boolean>
    /** Ends up to some thousand live executions that began before; tells how many. */
    readonly cancelSome: (
      project: ProjectId,
      workflow: WorkflowId | undefined,
      reason: CancelReason,
      startedBefore: DateTime.Utc,
      now: DateTime.Utc
    ) => Effect.Effect<number>
    /** Has a failed execution take its step once more, as the visit with this id; false where it cannot. */
    readonly retry: (
      project: ProjectId,
      id: ExecutionId,
      visit: StepExecutionId,
      now: DateTime.Utc
    ) => Effect.Effect<boolean>
    /** Projects that have been disabled since before, and still have live executions. */
    readonly longDisabled: (before: DateTime.Utc) => Effect.Effect<ReadonlyArray<ProjectId>>
    /** Of one contact, oldest first. */
    readonly ofContact: (project: ProjectId, contact: ContactId) => Effect.Effect<PersonalData["executions"]>
    /** Removes those of one contact, and tells how many there were. */
    readonly forget: (project: ProjectId, contact: ContactId) => Effect.Effect<number>
  }
>()("@posthorn/core/automation/workflows/executions/ExecutionStore") {}

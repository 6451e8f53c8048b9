/** The storage port of executions, for the API. */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { PersonalData } from "@posthorn/contract/audience/contacts/ContactExport"
import type {
  ContactExecution,
  Execution,
  ExecutionId,
  ExecutionStatus,
  StepExecution,
  StepExecutionId
} from "@posthorn/contract/automation/workflows/Execution"
import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Position } from "../../../platform/Cursors.ts"
import type { Slice } from "../../../platform/OffsetPages.ts"

export interface ContactExecutionFilter {
  readonly status?: ReadonlyArray<ExecutionStatus> | undefined
}

export interface ExecutionFilter extends ContactExecutionFilter {
  readonly contactId?: string | undefined
  readonly version?: number | undefined
  /** Only executions that are RUNNING or WAITING at the step. */
  readonly currentStepId?: string | undefined
}

/** Why an execution was cancelled. */
export type CancelReason = "cancelled_by_user" | "contact_merged" | "project_disabled"

/** A port: a host may store executions elsewhere. Every method takes the project first. */
export class ExecutionStore extends Context.Service<
  ExecutionStore,
  {
    readonly find: (project: ProjectId, workflow: WorkflowId, id: string) => Effect.Effect<Option.Option<Execution>>
    /** Oldest first. The visit of the current step is PENDING until it begins. */
    readonly visits: (project: ProjectId, id: ExecutionId) => Effect.Effect<ReadonlyArray<StepExecution>>
    /** Newest first. */
    readonly list: (
      project: ProjectId,
      workflow: WorkflowId,
      filter: ExecutionFilter,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<Execution>>
    readonly count: (project: ProjectId, workflow: WorkflowId, filter: ExecutionFilter) => Effect.Effect<number>
    /** The executions of one contact in all workflows, newest first. */
    readonly listOf: (
      project: ProjectId,
      contact: ContactId,
      filter: ContactExecutionFilter,
      limit: number,
      after?: Position
    ) => Effect.Effect<ReadonlyArray<ContactExecution>>
    readonly countOf: (project: ProjectId, contact: ContactId, filter: ContactExecutionFilter) => Effect.Effect<number>
    /** The active execution of a contact in a workflow with this key, else the newest one, else one of another key. */
    readonly lastOf: (
      project: ProjectId,
      workflow: WorkflowId,
      contact: ContactId,
      entryKey: string
    ) => Effect.Effect<Option.Option<Pick<Execution, "id" | "status">>>
    /** Cancels an active execution. False if it is not active. */
    readonly cancel: (project: ProjectId, id: ExecutionId, now: DateTime.Utc) => Effect.Effect<boolean>
    /** Cancels one batch of active executions that started before. Returns their number. */
    readonly cancelSome: (
      project: ProjectId,
      workflow: WorkflowId | undefined,
      reason: CancelReason,
      startedBefore: DateTime.Utc,
      now: DateTime.Utc
    ) => Effect.Effect<number>
    /** Retries the failed step of an execution as a new visit. False if it cannot be retried. */
    readonly retry: (
      project: ProjectId,
      id: ExecutionId,
      visit: StepExecutionId,
      now: DateTime.Utc
    ) => Effect.Effect<boolean>
    /** Projects that were disabled before this time and still have active executions. */
    readonly longDisabled: (before: DateTime.Utc) => Effect.Effect<ReadonlyArray<ProjectId>>
    /** The executions of one contact, oldest first. */
    readonly ofContact: (project: ProjectId, contact: ContactId) => Effect.Effect<PersonalData["executions"]>
    /** The conversions of one contact, oldest first. */
    readonly conversionsOf: (project: ProjectId, contact: ContactId) => Effect.Effect<PersonalData["conversions"]>
    /**
     * Cancels the active executions of a contact and gives all of them to another one, for whose re-entry they count.
     * Returns their number. Joins the caller's transaction.
     */
    readonly moveOf: (project: ProjectId, from: ContactId, to: ContactId, now: DateTime.Utc) => Effect.Effect<number>
    /** Deletes the executions and conversions of one contact. Returns the number of executions. */
    readonly deleteOf: (project: ProjectId, contact: ContactId) => Effect.Effect<number>
  }
>()("@posthorn/core/automation/workflows/executions/ExecutionStore") {}

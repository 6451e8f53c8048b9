/** Starts, reads, cancels and retries executions for callers. */

import { type ContactId, ContactNotFound } from "@posthorn/contract/audience/contacts/Contact"
import {
  type ContactExecutionPage,
  type ContactExecutionQuery,
  type Execution,
  type ExecutionDetail,
  type ExecutionPage,
  type ExecutionQuery,
  type StartExecution,
  StepExecutionId
} from "@posthorn/contract/automation/workflows/Execution"
import { WorkflowNotFound } from "@posthorn/contract/automation/workflows/Workflow"
import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict, type InvalidCursor, ResourceNotFound } from "@posthorn/contract/platform/Errors"
import { pageSize } from "@posthorn/contract/platform/Primitives"
import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { Contacts } from "../../../audience/contacts/Contacts.ts"
import { byCreation, cursorPage } from "../../../platform/CursorPages.ts"
import { Cursors } from "../../../platform/Cursors.ts"
import { offsetPage, placeOf, sliceOf } from "../../../platform/OffsetPages.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import { Wakeups } from "../../../platform/Wakeups.ts"
import * as Starts from "../start/Starts.ts"
import type { ConditionQueries } from "../steps/ConditionQueries.ts"
import { WorkflowStore } from "../WorkflowStore.ts"
import { ExecutionStore } from "./ExecutionStore.ts"

type NotFound = WorkflowNotFound | ResourceNotFound

/** Manages executions. */
export interface Executions {
  /** Starts the workflow for a contact, with any type of trigger. A worker runs the steps afterwards. */
  readonly start: (
    project: ProjectId,
    workflow: WorkflowId,
    input: StartExecution
  ) => Effect.Effect<Execution, Conflict | ContactNotFound | WorkflowNotFound>
  readonly list: (
    project: ProjectId,
    workflow: WorkflowId,
    query: typeof ExecutionQuery.Type
  ) => Effect.Effect<ExecutionPage, WorkflowNotFound>
  /** The executions of a contact in all workflows, newest first. */
  readonly ofContact: (
    project: ProjectId,
    contact: ContactId,
    query: ContactExecutionQuery
  ) => Effect.Effect<ContactExecutionPage, ContactNotFound | InvalidCursor>
  readonly get: (project: ProjectId, workflow: WorkflowId, id: string) => Effect.Effect<ExecutionDetail, NotFound>
  /** A running request finishes, and no step follows it. */
  readonly cancel: (
    project: ProjectId,
    workflow: WorkflowId,
    id: string
  ) => Effect.Effect<Execution, Conflict | NotFound>
  /** Cancels the executions that have started until now. Returns their number. */
  readonly cancelAll: (project: ProjectId, workflow: WorkflowId) => Effect.Effect<number, WorkflowNotFound>
  /** Runs the failed step again. */
  readonly retry: (
    project: ProjectId,
    workflow: WorkflowId,
    id: string
  ) => Effect.Effect<Execution, Conflict | NotFound>
  /** Cancels all executions of projects that have been disabled for 30 days. */
  readonly cancelLongDisabled: Effect.Effect<void>
}

const disabledFor = Duration.days(30)
const isId = Schema.is(Schema.String.check(Schema.isUUID()))
const isActive = ({ status }: Pick<Execution, "status">): boolean => status === "RUNNING" || status === "WAITING"
const noExecution = (id: string) => new ResourceNotFound({ resource: "execution", id })

export type Needs =
  | ConditionQueries
  | Contacts
  | Cursors
  | ExecutionStore
  | Wakeups
  | SecureRandom.SecureRandom
  | SqlClient.SqlClient
  | Transaction
  | WorkflowStore

export const make: Effect.Effect<Executions, never, Needs> = Effect.gen(function* () {
  const contacts = yield* Contacts
  const cursors = yield* Cursors
  const { executions: wakeup } = yield* Wakeups
  const random = yield* SecureRandom.SecureRandom
  const starts = yield* Starts.make
  const store = yield* ExecutionStore
  const transaction = yield* Transaction
  const workflows = yield* WorkflowStore

  const requireWorkflow = Effect.fnUntraced(function* (project: ProjectId, id: WorkflowId) {
    const found = yield* workflows.find(project, id)
    if (Option.isNone(found)) return yield* new WorkflowNotFound({ id })
    return found.value
  })

  const require = Effect.fnUntraced(function* (project: ProjectId, workflow: WorkflowId, id: string) {
    yield* requireWorkflow(project, workflow)
    const found = isId(id) ? yield* store.find(project, workflow, id.toLowerCase()) : Option.none()
    if (Option.isNone(found)) return yield* noExecution(id)
    return found.value
  })

  /** Reads the execution after a change. It may have been deleted with its contact meanwhile. */
  const reread = Effect.fnUntraced(function* (project: ProjectId, { workflowId, id }: Execution) {
    const found = yield* store.find(project, workflowId, id)
    if (Option.isNone(found)) return yield* noExecution(id)
    return found.value
  })

  /** Why the execution was not started. */
  const refusal = Effect.fnUntraced(function* (
    project: ProjectId,
    id: WorkflowId,
    contact: ContactId,
    entryKey: string
  ) {
    const workflow = yield* requireWorkflow(project, id)
    if (!workflow.enabled) return yield* new Conflict({ reason: "workflow_disabled" })
    const earlier = Option.getOrUndefined(yield* store.lastOf(project, id, contact, entryKey))
    if (earlier === undefined) return yield* new ContactNotFound({ id: contact })
    const reason = isActive(earlier) ? "already_running" : "reentry_not_allowed"
    return yield* new Conflict({ reason, executionId: earlier.id })
  })

  const start = Effect.fn("Executions.start")(function* (
    project: ProjectId,
    workflow: WorkflowId,
    { contactId, context, entryKey }: StartExecution
  ) {
    yield* requireWorkflow(project, workflow)
    yield* contacts.get(project, contactId)
    const entry = { contact: contactId, context: context ?? {}, key: entryKey ?? "" }
    const started = yield* starts.byCall(project, workflow, entry, yield* DateTime.now)
    if (Option.isNone(started)) return yield* refusal(project, workflow, contactId, entry.key)
    const found = yield* store.find(project, workflow, started.value)
    yield* transaction.afterCommit(wakeup.wake)
    if (Option.isNone(found)) return yield* new ContactNotFound({ id: contactId })
    return found.value
  }, transaction.run)

  const list = Effect.fn("Executions.list")(function* (
    project: ProjectId,
    workflow: WorkflowId,
    query: typeof ExecutionQuery.Type
  ) {
    yield* requireWorkflow(project, workflow)
    const place = placeOf(query)
    const data = yield* store.list(project, workflow, query, sliceOf(place))
    return offsetPage(place, data, yield* store.count(project, workflow, query))
  })

  const ofContact = Effect.fn("Executions.ofContact")(function* (
    project: ProjectId,
    contact: ContactId,
    query: ContactExecutionQuery
  ) {
    yield* contacts.get(project, contact)
    const { status, cursor } = query
    return yield* cursorPage(
      cursors,
      { scope: JSON.stringify(["executions", project, contact, status]), cursor, limit: pageSize(query) },
      {
        count: store.countOf(project, contact, { status }),
        list: (limit, after) => store.listOf(project, contact, { status }, limit, after),
        positionOf: byCreation
      }
    )
  })

  const get = Effect.fn("Executions.get")(function* (project: ProjectId, workflow: WorkflowId, id: string) {
    const { name } = yield* requireWorkflow(project, workflow)
    const execution = yield* require(project, workflow, id)
    const stepExecutions = yield* store.visits(project, execution.id)
    return { ...execution, workflow: { id: workflow, name }, stepExecutions }
  })

  const cancel = Effect.fn("Executions.cancel")(function* (project: ProjectId, workflow: WorkflowId, id: string) {
    const found = yield* require(project, workflow, id)
    yield* store.cancel(project, found.id, yield* DateTime.now)
    const execution = yield* reread(project, found)
    if (execution.status !== "CANCELLED") return yield* new Conflict({ reason: "already_finished" })
    return execution
  }, transaction.run)

  /** Cancels in batches, each in its own transaction. */
  const cancelBatches = Effect.fnUntraced(function* (
    project: ProjectId,
    workflow: WorkflowId | undefined,
    reason: "cancelled_by_user" | "project_disabled"
  ) {
    const now = yield* DateTime.now
    let total = 0
    for (;;) {
      const cancelled = yield* transaction.run(store.cancelSome(project, workflow, reason, now, now))
      if (cancelled === 0) return total
      total += cancelled
    }
  })

  const cancelAll = Effect.fn("Executions.cancelAll")(function* (project: ProjectId, workflow: WorkflowId) {
    yield* requireWorkflow(project, workflow)
    return yield* cancelBatches(project, workflow, "cancelled_by_user")
  })

  const retry = Effect.fn("Executions.retry")(function* (project: ProjectId, workflow: WorkflowId, id: string) {
    const found = yield* require(project, workflow, id)
    const visit = StepExecutionId.make(yield* random.uuidV7())
    const retried = yield* store.retry(project, found.id, visit, yield* DateTime.now)
    const execution = yield* reread(project, found)
    if (!retried) {
      const last = Option.getOrUndefined(
        yield* store.lastOf(project, workflow, execution.contactId, execution.entryKey)
      )
      const isBlocked = execution.status === "FAILED" && execution.currentStepId !== null
      if (isBlocked && last !== undefined && isActive(last)) {
        return yield* new Conflict({ reason: "already_running", executionId: last.id })
      }
      return yield* new Conflict({ reason: "not_retryable" })
    }
    yield* wakeup.wake
    return execution
  })

  const cancelLongDisabled = Effect.gen(function* () {
    const before = DateTime.subtractDuration(yield* DateTime.now, disabledFor)
    for (const project of yield* store.longDisabled(before)) {
      yield* cancelBatches(project, undefined, "project_disabled")
    }
  }).pipe(Effect.withSpan("Executions.cancelLongDisabled"))

  return { start, list, ofContact, get, cancel, cancelAll, retry, cancelLongDisabled } satisfies Executions
})

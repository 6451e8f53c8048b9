/** Reads locked executions with their contact and, if it has begun, the visit of their current step. */

import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import {
  ExecutionId,
  ExecutionStatus,
  StepExecutionId,
  StepExecutionStatus
} from "@posthorn/contract/automation/workflows/Execution"
import { StepId } from "@posthorn/contract/automation/workflows/Step"
import { StepType } from "@posthorn/contract/automation/workflows/StepType"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { countedVersion } from "../report/StepMoves.ts"
import { named } from "./DueSql.ts"
import type { ExecutionKey, LockedExecution } from "./RunStore.ts"

const timestamp = Schema.DateTimeUtcFromDate

const VisitRow = Schema.Struct({
  id: StepExecutionId,
  stepId: StepId,
  name: Schema.String,
  type: StepType,
  ordinal: Schema.Int,
  status: StepExecutionStatus,
  attempts: Schema.Int,
  config: Schema.JsonObject,
  request: Schema.Json,
  output: Schema.Json,
  error: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String })),
  branch: Schema.NullOr(Schema.String),
  scheduledFor: Schema.NullOr(Schema.DateTimeUtcFromString),
  resumedBy: Schema.NullOr(Schema.String),
  startedAt: Schema.DateTimeUtcFromString,
  completedAt: Schema.NullOr(Schema.DateTimeUtcFromString),
  createdAt: Schema.DateTimeUtcFromString
})

const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      projectId: ProjectId,
      id: ExecutionId,
      workflowId: WorkflowId,
      version: Schema.NullOr(Schema.Int),
      countedVersion: Schema.Int,
      status: ExecutionStatus,
      triggerEventId: Schema.NullOr(Schema.String),
      enteredAt: timestamp,
      converted: Schema.Boolean,
      exitReason: Schema.NullOr(Schema.String),
      lookedAt: Schema.NullOr(timestamp),
      chain: Schema.Int,
      context: Schema.JsonObject,
      currentStepId: Schema.NullOr(StepId),
      visitId: StepExecutionId,
      since: timestamp,
      stepsTaken: Schema.Int,
      failures: Schema.Int,
      generation: Schema.Int,
      startedAt: timestamp,
      visit: Schema.NullOr(VisitRow),
      contactId: ContactId,
      email: Schema.String,
      subscribed: Schema.Boolean,
      snoozedUntil: Schema.NullOr(timestamp),
      topicsOn: Schema.NullOr(Schema.Array(Schema.String)),
      topicsOff: Schema.NullOr(Schema.Array(Schema.String)),
      data: Schema.JsonObject,
      contactCreatedAt: timestamp,
      contactUpdatedAt: timestamp
    })
  )
)

/**
 * Runs after the statement that locked the rows: only a new snapshot has their latest version. In the order of the
 * keys.
 */
export const lockedStatement = (
  sql: SqlClient.SqlClient,
  keys: ReadonlyArray<ExecutionKey>
): Statement.Statement<unknown> => sql`
  select execution.project_id as "projectId", execution.id, execution.workflow_id as "workflowId",
         case when execution.pinned then execution.version end as version,
         ${sql.literal(countedVersion("execution"))} as "countedVersion", execution.status, execution.trigger_event_id as "triggerEventId", execution.chain,
         coalesce(execution.entered_at, execution.started_at) as "enteredAt", execution.converted,
         execution.exit_reason as "exitReason", execution.looked_at as "lookedAt",
         coalesce(execution.context, '{}') as context, execution.current_step_id as "currentStepId",
         execution.step_execution_id as "visitId", execution.current_since as since,
         execution.steps_taken as "stepsTaken", execution.failures, execution.generation,
         execution.started_at as "startedAt", contacts.id as "contactId", contacts.email, contacts.subscribed,
         contacts.snoozed_until as "snoozedUntil", contacts.topics_on as "topicsOn", contacts.topics_off as "topicsOff",
         contacts.data, contacts.created_at as "contactCreatedAt", contacts.updated_at as "contactUpdatedAt",
         case when visit.id is not null then jsonb_build_object(
           'id', visit.id, 'stepId', visit.step_id, 'name', visit.step_name, 'type', visit.step_type,
           'ordinal', visit.ordinal, 'status', visit.status, 'attempts', visit.attempts,
           'config', coalesce(visit.config, '{}'), 'request', visit.request, 'output', visit.output, 'error', visit.error,
           'branch', visit.branch, 'scheduledFor', visit.scheduled_for,
           'resumedBy', visit.resumed_by, 'startedAt', visit.started_at,
           'completedAt', visit.completed_at, 'createdAt', visit.created_at
         ) end as visit
  from ${named(sql, keys)}
  join workflow_executions as execution on execution.project_id = named.project_id and execution.id = named.id
  join contacts on contacts.project_id = execution.project_id and contacts.id = execution.contact_id
  left join workflow_step_executions as visit
    on visit.project_id = execution.project_id and visit.id = execution.step_execution_id
  order by position`

const locked = ({
  contactId,
  email,
  subscribed,
  snoozedUntil,
  topicsOn,
  topicsOff,
  data,
  contactCreatedAt,
  contactUpdatedAt,
  ...execution
}: Effect.Success<ReturnType<typeof rows>>[number]): LockedExecution => ({
  ...execution,
  contact: {
    id: contactId,
    email,
    subscribed,
    snoozedUntil,
    topicsOn,
    topicsOff,
    data,
    createdAt: contactCreatedAt,
    updatedAt: contactUpdatedAt
  }
})

export const readLocked = (
  found: ReadonlyArray<unknown>
): Effect.Effect<ReadonlyArray<LockedExecution>, Schema.SchemaError> =>
  Effect.map(rows(found), (decoded) => decoded.map(locked))

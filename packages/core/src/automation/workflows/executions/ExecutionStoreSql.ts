/** Executions for the API, in PostgreSQL or PGlite. */

import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import {
  Execution,
  ExecutionId,
  ExecutionStatus,
  StepExecution,
  StepExecutionId
} from "@posthorn/contract/automation/workflows/Execution"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { countOf } from "../../../platform/Queries.ts"
import { moveReached } from "../../campaigns/holdout/HoldoutSql.ts"
import { appendRetries } from "../report/StepMoves.ts"
import { currentStep } from "./CurrentStepSql.ts"
import { endExecutions } from "./EndSql.ts"
import {
  type CancelReason,
  type ContactExecutionFilter,
  type ExecutionFilter,
  ExecutionStore
} from "./ExecutionStore.ts"

const at = Schema.DateTimeUtcFromDate
const timestampOrNull = Schema.NullOr(at)

const row = {
  ...Execution.fields,
  id: ExecutionId,
  workflowId: WorkflowId,
  contactId: ContactId,
  contact: Schema.Struct({ id: ContactId, email: Schema.String }),
  currentStepId: Schema.NullOr(Schema.String),
  resumeAt: timestampOrNull,
  startedAt: at,
  completedAt: timestampOrNull,
  createdAt: at,
  updatedAt: at
}
const rows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct(row)))
const workflowRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...row, workflow: Schema.Struct({ id: WorkflowId, name: Schema.String }) }))
)
const visitRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      ...StepExecution.fields,
      id: StepExecutionId,
      executionId: ExecutionId,
      scheduledFor: timestampOrNull,
      startedAt: timestampOrNull,
      completedAt: timestampOrNull,
      createdAt: at,
      updatedAt: at
    })
  )
)
const statusRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ExecutionId, status: ExecutionStatus })))
const projectRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ProjectId })))
const personalRows = Schema.decodeUnknownEffect(Schema.Array(Schema.JsonObject))

const columns = `
  execution.id, execution.workflow_id as "workflowId", execution.contact_id as "contactId",
  jsonb_build_object('id', contacts.id, 'email', contacts.email) as contact, execution.status,
  step.id as "currentStepId",
  case when step.id is not null then jsonb_build_object('id', step.id, 'name', step.name, 'type', step.type) end
    as "currentStep",
  execution.version, execution.source, execution.trigger_event_id as "triggerEventId", coalesce(execution.context, '{}') as context,
  execution.entry_key as "entryKey", execution.converted, execution.exit_reason as "exitReason",
  execution.exit_rule_id as "exitRuleId", execution.error, execution.resume_at as "resumeAt",
  execution.started_at as "startedAt", execution.completed_at as "completedAt", execution.created_at as "createdAt",
  execution.updated_at as "updatedAt"`

const joins = (sql: SqlClient.SqlClient) => sql`
  join contacts on contacts.project_id = execution.project_id and contacts.id = execution.contact_id
  left join lateral ${currentStep(sql, "execution")} as step on true`

/** Executions that one statement cancels. */
const cancelBatch = 1_000

export const layer: Layer.Layer<ExecutionStore, never, SqlClient.SqlClient> = Layer.effect(
  ExecutionStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const matching = (
      project: ProjectId,
      workflow: WorkflowId,
      { status, contactId, version, currentStepId }: ExecutionFilter
    ) =>
      sql.and([
        sql`execution.project_id = ${project} and execution.workflow_id = ${workflow}`,
        ...(status === undefined ? [] : [sql`execution.status = any(${status}::text[])`]),
        ...(contactId === undefined ? [] : [sql`execution.contact_id = ${contactId}::uuid`]),
        ...(version === undefined ? [] : [sql`execution.version = ${version}`]),
        ...(currentStepId === undefined
          ? []
          : [sql`execution.current_step_id = ${currentStepId}::uuid and execution.status in ('RUNNING', 'WAITING')`])
      ])

    const ofPerson = (project: ProjectId, contact: ContactId, { status }: ContactExecutionFilter) =>
      sql.and([
        sql`execution.project_id = ${project} and execution.contact_id = ${contact}`,
        ...(status === undefined ? [] : [sql`execution.status = any(${status}::text[])`])
      ])

    /** Cancels executions that the transaction has locked. */
    const end = (project: ProjectId, ids: ReadonlyArray<ExecutionId>, reason: CancelReason, now: DateTime.Utc) =>
      endExecutions(
        sql,
        ids.map((id) => ({ project, id, status: "CANCELLED", reason, ruleId: null, because: "execution_cancelled" })),
        now
      )

    return ExecutionStore.of({
      find: Effect.fn("ExecutionStore.find")(function* (project, workflow, id) {
        const found = yield* sql`
          select ${sql.literal(columns)} from workflow_executions as execution ${joins(sql)}
          where execution.project_id = ${project} and execution.id = ${id}::uuid
            and execution.workflow_id = ${workflow}`
        return Array.head(yield* rows(found))
      }, Effect.orDie),
      visits: Effect.fn("ExecutionStore.visits")(function* (project, id) {
        return yield* visitRows(
          yield* sql`
            select visit.id, execution_id as "executionId", coalesce(step.id, followed.id) as "stepId",
                   jsonb_build_object('id', visit.step_id, 'name', step_name, 'type', step_type) as step, iteration,
                   status, attempts, coalesce(visit.config, '{}') as config, output, error, branch,
                   scheduled_for as "scheduledFor", started_at as "startedAt", completed_at as "completedAt",
                   visit.created_at as "createdAt", visit.updated_at as "updatedAt"
            from (
              select id, execution_id, step_id, step_name, step_type, iteration, ordinal, status, attempts, config,
                     output, error, branch, scheduled_for, started_at, completed_at, created_at, updated_at
              from workflow_step_executions where project_id = ${project} and execution_id = ${id}
              union all
              select step_execution_id, execution.id, step.id, step.name, step.type,
                     (select count(*)::int + 1 from workflow_step_executions as earlier
                      where earlier.project_id = ${project} and earlier.execution_id = ${id}
                        and earlier.step_id = step.id),
                     steps_taken + 1, 'PENDING', 0, step.config, null, null, null, null, null, null, current_since,
                     current_since
              from workflow_executions as execution
              cross join lateral ${currentStep(sql, "execution")} as step
              where execution.project_id = ${project} and execution.id = ${id} and status = 'RUNNING'
                and not exists (
                  select from workflow_step_executions as begun
                  where begun.project_id = ${project} and begun.id = execution.step_execution_id)
            ) as visit
            left join workflow_steps as step on step.project_id = ${project} and step.id = visit.step_id
            left join lateral (
              select visit.step_id as id
              from workflow_executions as execution
              join workflow_versions as kept on kept.project_id = execution.project_id
                and kept.workflow_id = execution.workflow_id and kept.version = execution.version
              where execution.project_id = ${project} and execution.id = ${id} and execution.pinned
                and kept.steps ? visit.step_id::text
            ) as followed on true
            order by visit.ordinal`
        )
      }, Effect.orDie),
      list: Effect.fn("ExecutionStore.list")(function* (project, workflow, filter, { limit, offset }) {
        return yield* rows(
          yield* sql`
            select ${sql.literal(columns)} from workflow_executions as execution ${joins(sql)}
            where ${matching(project, workflow, filter)}
            order by execution.created_at desc, execution.id desc limit ${limit} offset ${offset}`
        )
      }, Effect.orDie),
      count: Effect.fn("ExecutionStore.count")(function* (project, workflow, filter) {
        return yield* countOf(sql`
          select count(*)::int as count from workflow_executions as execution
          where ${matching(project, workflow, filter)}`)
      }),
      listOf: Effect.fn("ExecutionStore.listOf")(function* (project, contact, filter, limit, after) {
        const behind =
          after === undefined
            ? []
            : [sql`(execution.created_at, execution.id) < (${after.key}::timestamptz, ${after.id}::uuid)`]
        return yield* workflowRows(
          yield* sql`
            select ${sql.literal(columns)}, jsonb_build_object('id', workflows.id, 'name', workflows.name) as workflow
            from workflow_executions as execution ${joins(sql)}
            join workflows on workflows.project_id = execution.project_id and workflows.id = execution.workflow_id
            where ${sql.and([ofPerson(project, contact, filter), ...behind])}
            order by execution.created_at desc, execution.id desc limit ${limit}`
        )
      }, Effect.orDie),
      countOf: (project, contact, filter) =>
        countOf(sql`
          select count(*)::int as count from workflow_executions as execution
          where ${ofPerson(project, contact, filter)}`),
      lastOf: Effect.fn("ExecutionStore.lastOf")(function* (project, workflow, contact, entryKey) {
        const found = yield* sql`
          select id, status from workflow_executions
          where project_id = ${project} and contact_id = ${contact} and workflow_id = ${workflow}
          order by entry_key = ${entryKey} and status in ('RUNNING', 'WAITING') desc, entry_key = ${entryKey} desc,
                   status in ('RUNNING', 'WAITING') desc, nth desc
          limit 1`
        return Array.head(yield* statusRows(found))
      }, Effect.orDie),
      cancel: Effect.fn("ExecutionStore.cancel")(function* (project, id, now) {
        const live = yield* statusRows(
          yield* sql`
            select id, status from workflow_executions
            where project_id = ${project} and id = ${id} and status in ('RUNNING', 'WAITING') for update`
        )
        if (live.length === 0) return false
        yield* end(project, [id], "cancelled_by_user", now)
        return true
      }, Effect.orDie),
      cancelSome: Effect.fn("ExecutionStore.cancelSome")(function* (project, workflow, reason, startedBefore, now) {
        const live = yield* statusRows(
          yield* sql`
            select id, status from workflow_executions
            where project_id = ${project} and status in ('RUNNING', 'WAITING')
              and ${workflow === undefined ? sql`true` : sql`workflow_id = ${workflow}`}
              and started_at <= ${DateTime.toDate(startedBefore)}
            order by id limit ${cancelBatch} for update`
        )
        const ids = live.map(({ id }) => id)
        if (ids.length > 0) yield* end(project, ids, reason, now)
        return ids.length
      }, Effect.orDie),
      retry: (project, id, visit, now) =>
        sql`
          with retried as (
          update workflow_executions as execution
          set status = 'RUNNING', step_execution_id = ${visit}, current_since = ${DateTime.toDate(now)},
              due_at = ${DateTime.toDate(now)}, outside = false, failures = 0, looked_at = null, exit_reason = null, error = null,
              completed_at = null, purged_at = null, updated_at = greatest(updated_at, ${DateTime.toDate(now)})
          where project_id = ${project} and id = ${id} and status = 'FAILED'
            and exists (select from ${currentStep(sql, "execution")} as step)
            and not exists (
              select from workflow_executions as other
              where other.project_id = execution.project_id and other.workflow_id = execution.workflow_id
                and other.contact_id = execution.contact_id and other.entry_key = execution.entry_key
                and other.status in ('RUNNING', 'WAITING'))
          returning project_id, id, workflow_id, version, current_step_id),
          moved as (${appendRetries(sql, DateTime.toDate(now))})
          select id from retried`.pipe(
          Effect.map((retried) => retried.length > 0),
          // A simultaneous start of another execution won.
          Effect.catchReasons("SqlError", { UniqueViolation: () => Effect.succeed(false) }, (_, error) =>
            Effect.die(error)
          ),
          Effect.withSpan("ExecutionStore.retry")
        ),
      longDisabled: Effect.fn("ExecutionStore.longDisabled")(function* (before) {
        const found = yield* projectRows(
          yield* sql`
            select id from projects
            where disabled_at <= ${DateTime.toDate(before)} and exists (
              select from workflow_executions as execution
              where execution.project_id = projects.id and status in ('RUNNING', 'WAITING'))`
        )
        return found.map(({ id }) => id)
      }, Effect.orDie),
      ofContact: Effect.fn("ExecutionStore.ofContact")(function* (project, contact) {
        return yield* personalRows(
          yield* sql`
            select execution.id, execution.workflow_id as "workflowId", workflows.name as "workflowName",
                   execution.version, status,
                   coalesce(context, '{}') as context, entry_key as "entryKey", converted,
                   exit_reason as "exitReason",
                   to_jsonb(started_at) as "startedAt", to_jsonb(completed_at) as "completedAt",
                   (select coalesce(jsonb_agg(jsonb_build_object(
                      'step', step_name, 'type', step_type, 'status', visit.status, 'output', output,
                      'startedAt', visit.started_at, 'completedAt', visit.completed_at) order by ordinal), '[]')
                    from workflow_step_executions as visit
                    where visit.project_id = execution.project_id and visit.execution_id = execution.id)
                     as "stepExecutions"
            from workflow_executions as execution
            left join workflows on workflows.project_id = execution.project_id and workflows.id = execution.workflow_id
            where execution.project_id = ${project} and contact_id = ${contact}
            order by execution.created_at, execution.id`
        )
      }, Effect.orDie),
      moveOf: Effect.fn("ExecutionStore.moveOf")(function* (project, from, to, now) {
        const all = yield* statusRows(
          yield* sql`
            select id, status from workflow_executions where project_id = ${project} and contact_id = ${from}
            order by id for update`
        )
        const live = all.filter(({ status }) => status === "RUNNING" || status === "WAITING").map(({ id }) => id)
        if (live.length > 0) yield* end(project, live, "contact_merged", now)
        yield* sql`
          update workflow_executions as execution
          set contact_id = ${to}, nth = execution.nth + coalesce((
            select max(own.nth) from workflow_executions as own
            where own.project_id = ${project} and own.contact_id = ${to} and own.workflow_id = execution.workflow_id
              and own.entry_key = execution.entry_key
          ), 0)
          where project_id = ${project} and contact_id = ${from}`
        // Of a campaign, a contact has one conversion. The deletion of the other contact removes its own.
        yield* sql`
          update conversions as moved set contact_id = ${to}
          where project_id = ${project} and contact_id = ${from} and not (owner = 'CAMPAIGN' and exists (
            select from conversions as own
            where own.project_id = ${project} and own.owner = 'CAMPAIGN' and own.owner_id = moved.owner_id
              and own.contact_id = ${to}))`
        yield* moveReached(sql, project, from, to)
        return all.length
      }, Effect.orDie),
      conversionsOf: Effect.fn("ExecutionStore.conversionsOf")(function* (project, contact) {
        return yield* personalRows(
          yield* sql`
            select case owner when 'WORKFLOW' then owner_id end as "workflowId", execution_id as "executionId",
                   case owner when 'CAMPAIGN' then owner_id end as "campaignId", event_id as "eventId",
                   case when amount is not null then jsonb_build_object('amount', amount, 'currency', currency) end
                     as revenue, to_jsonb(occurred_at) as "occurredAt"
            from conversions where project_id = ${project} and contact_id = ${contact}
            order by created_at, event_id`
        )
      }, Effect.orDie),
      deleteOf: Effect.fn("ExecutionStore.deleteOf")(function* (project, contact) {
        yield* sql`delete from conversions where project_id = ${project} and contact_id = ${contact}`
        const deleted = yield* sql`
          delete from workflow_executions where project_id = ${project} and contact_id = ${contact} returning id`
        return deleted.length
      }, Effect.orDie)
    })
  })
)

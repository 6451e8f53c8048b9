/** Executions in PostgreSQL, served or embedded, as the runner works on them. */
import { ProjectId } from "@posthorn/contract/Auth"
import { ContactId } from "@posthorn/contract/contacts/Contact"
import {
  ExecutionId,
  ExecutionStatus,
  StepExecutionId,
  StepExecutionStatus
} from "@posthorn/contract/workflows/Execution"
import { StepId } from "@posthorn/contract/workflows/Step"
import { StepType } from "@posthorn/contract/workflows/StepType"
import { WorkflowId } from "@posthorn/contract/workflows/WorkflowId"
import { DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { isVisible } from "../../events/Retracted.ts"
import { advanceStatement, visitStatement } from "./AdvanceSql.ts"
import { type ExecutionKey, type Graph, type LockedExecution, RunStore } from "./RunStore.ts"

const moment = Schema.DateTimeUtcFromDate
const keys = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ projectId: ProjectId, id: ExecutionId, disabled: Schema.Boolean }))
)

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
      status: ExecutionStatus,
      triggerEventId: Schema.NullOr(Schema.String),
      chain: Schema.Int,
      context: Schema.JsonObject,
      currentStepId: Schema.NullOr(StepId),
      visitId: StepExecutionId,
      since: moment,
      stepsTaken: Schema.Int,
      failures: Schema.Int,
      generation: Schema.Int,
      startedAt: moment,
      visit: Schema.NullOr(VisitRow),
      contactId: ContactId,
      email: Schema.String,
      subscribed: Schema.Boolean,
      data: Schema.JsonObject,
      contactCreatedAt: moment,
      contactUpdatedAt: moment
    })
  )
)

const graphRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: WorkflowId,
      name: Schema.String,
      steps: Schema.Array(
        Schema.Struct({
          id: StepId,
          type: StepType,
          name: Schema.String,
          config: Schema.JsonObject,
          templateId: Schema.NullOr(Schema.String)
        })
      ),
      transitions: Schema.Array(Schema.Struct({ from: StepId, to: StepId, branch: Schema.NullOr(Schema.String) }))
    })
  )
)

const waitedRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      execution: ExecutionId,
      id: Schema.String,
      data: Schema.NullOr(Schema.Json),
      createdAt: moment
    })
  )
)

const isObject = Schema.is(Schema.JsonObject)

/** Executions that are given back at once. */
const thawBatch = 5_000
const forgetBatch = 5_000

export const layer: Layer.Layer<RunStore, never, SqlClient.SqlClient> = Layer.effect(
  RunStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`

    const named = (keys: ReadonlyArray<ExecutionKey>) => sql`
      unnest(${keys.map(({ projectId }) => projectId)}::uuid[], ${keys.map(({ id }) => id)}::uuid[])
        with ordinality as named (project_id, id, position)`

    /** By a statement of its own: the one that locked them saw them as they were before. */
    const read = Effect.fnUntraced(function* (keys: ReadonlyArray<ExecutionKey>) {
      if (keys.length === 0) return []
      const found = yield* rows(
        yield* sql`
          select execution.project_id as "projectId", execution.id, execution.workflow_id as "workflowId",
                 execution.status, execution.trigger_event_id as "triggerEventId", execution.chain,
                 coalesce(execution.context, '{}') as context, execution.current_step_id as "currentStepId",
                 execution.step_execution_id as "visitId", execution.current_since as since,
                 execution.steps_taken as "stepsTaken", execution.failures, execution.generation,
                 execution.started_at as "startedAt", contacts.id as "contactId", contacts.email, contacts.subscribed,
                 contacts.data, contacts.created_at as "contactCreatedAt", contacts.updated_at as "contactUpdatedAt",
                 case when visit.id is not null then jsonb_build_object(
                   'id', visit.id, 'stepId', visit.step_id, 'name', visit.step_name, 'type', visit.step_type,
                   'ordinal', visit.ordinal, 'status', visit.status, 'attempts', visit.attempts,
                   'config', coalesce(visit.config, '{}'), 'request', visit.request, 'output', visit.output, 'error', visit.error,
                   'branch', visit.branch, 'scheduledFor', visit.scheduled_for,
                   'resumedBy', visit.resumed_by, 'startedAt', visit.started_at,
                   'completedAt', visit.completed_at, 'createdAt', visit.created_at
                 ) end as visit
          from ${named(keys)}
          join workflow_executions as execution on execution.project_id = named.project_id and execution.id = named.id
          join contacts on contacts.project_id = execution.project_id and contacts.id = execution.contact_id
          left join workflow_step_executions as visit
            on visit.project_id = execution.project_id and visit.id = execution.step_execution_id
          order by position`
      )
      return found.map(
        ({
          contactId,
          email,
          subscribed,
          data,
          contactCreatedAt,
          contactUpdatedAt,
          ...execution
        }): LockedExecution => ({
          ...execution,
          contact: { id: contactId, email, subscribed, data, createdAt: contactCreatedAt, updatedAt: contactUpdatedAt }
        })
      )
    })

    const freeze = (frozen: ReadonlyArray<ExecutionKey>) =>
      frozen.length === 0
        ? Effect.void
        : sql`
            update workflow_executions as execution set frozen = true
            from ${named(frozen)} where execution.project_id = named.project_id and execution.id = named.id`

    const lock = (which: Statement.Fragment) => sql`
      select project_id as "projectId", id,
             exists (
               select from projects where projects.id = project_id and disabled_reason is not null
             ) as disabled
      from workflow_executions where ${which}`

    return RunStore.of({
      lockDue: Effect.fn("RunStore.lockDue")(function* (now, limit, outside) {
        const locked = yield* keys(
          yield* lock(sql`
            due_at is not null and due_at <= ${DateTime.toDate(now)}::timestamptz and not frozen
              and ${outside === null ? sql`not outside` : sql`outside and project_id <> all(${outside.not}::uuid[])`}
              and (lease_until is null or lease_until < clock_timestamp())
            order by due_at, id limit ${limit} for update skip locked`)
        )
        yield* freeze(locked.filter(({ disabled }) => disabled))
        return yield* read(locked.filter(({ disabled }) => !disabled))
      }, Effect.orDie),
      lockLeased: Effect.fn("RunStore.lockLeased")(function* ({ projectId, id }, generation) {
        const locked = yield* lock(sql`
          project_id = ${projectId} and id = ${id} and generation = ${generation} and outside and due_at is not null
          for update`)
        const [found] = yield* read(yield* keys(locked))
        return found
      }, Effect.orDie),
      graphs: Effect.fn("RunStore.graphs")(function* (executions) {
        const found = yield* graphRows(
          yield* sql`
            select workflows.id, workflows.name,
              (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'type', type, 'name', name, 'config', config,
                                                            'templateId', template_id)), '[]')
               from workflow_steps as step
               where step.project_id = workflows.project_id and step.workflow_id = workflows.id) as steps,
              (select coalesce(jsonb_agg(jsonb_build_object('from', from_step_id, 'to', to_step_id, 'branch', branch)), '[]')
               from workflow_transitions as transition
               where transition.project_id = workflows.project_id and transition.workflow_id = workflows.id) as transitions
            from (
              select distinct project_id, id
              from unnest(${executions.map(({ projectId }) => projectId)}::uuid[],
                          ${executions.map(({ workflowId }) => workflowId)}::uuid[]) as named (project_id, id)
            ) as named
            join workflows using (project_id, id)`
        )
        return new Map(
          found.map(({ id, name, steps, transitions }): readonly [WorkflowId, Graph] => {
            const routes = new Map<StepId, Map<string, StepId>>()
            for (const { from, to, branch } of transitions) {
              const own = routes.get(from) ?? new Map()
              routes.set(from, own.set(branch ?? "", to))
            }
            return [id, { name, steps: new Map(steps.map((step) => [step.id, step])), routes }]
          })
        )
      }, Effect.orDie),
      advance: Effect.fn("RunStore.advance")(function* (advances, now) {
        if (advances.length === 0) return
        const written = yield* advanceStatement(sql, advances, DateTime.toDate(now))
        if (written.length !== advances.length) return yield* Effect.die(new Error("An execution was moved by another"))
      }, Effect.orDie),
      begin: Effect.fn("RunStore.begin")(function* (begun, lease, now) {
        if (begun.length === 0) return
        yield* sql`
          with visited as (${visitStatement(
            sql,
            begun.map(({ visit, ...of }) => ({ of, visit })),
            DateTime.toDate(now)
          )})
          update workflow_executions as execution
          set status = 'RUNNING', resume_at = null, generation = generation + 1, updated_at = ${DateTime.toDate(now)},
              lease_until = clock_timestamp() + ${Duration.toMillis(lease)}::double precision * interval '1 millisecond'
          from ${named(begun)} where execution.project_id = named.project_id and execution.id = named.id`
      }, Effect.orDie),
      close: Effect.fn("RunStore.close")(function* (of, visit, now) {
        yield* sql`
          with visited as (${visitStatement(sql, [{ of, visit }], DateTime.toDate(now))})
          update workflow_executions set due_at = null, lease_until = null
          where project_id = ${of.projectId} and id = ${of.id}`
      }, Effect.orDie),
      eventsFor: Effect.fn("RunStore.eventsFor")(function* (waits) {
        if (waits.length === 0) return new Map()
        const asked = waits.map(({ projectId, id, contactId, triggerEventId, event, since, until }) => ({
          project_id: projectId,
          execution: id,
          contact: contactId,
          trigger_event: triggerEventId,
          name: event,
          since: DateTime.formatIso(since),
          until: until && DateTime.formatIso(until)
        }))
        const found = yield* waitedRows(
          yield* sql`
            select wait.execution, event.id, event.data, event.created_at as "createdAt"
            from jsonb_to_recordset(${json(asked)}) as wait(
              project_id uuid, execution uuid, contact uuid, trigger_event uuid, name text, since timestamptz,
              until timestamptz)
            cross join lateral (
              select id, data, created_at from events
              where events.project_id = wait.project_id and events.contact_id = wait.contact
                and events.name = wait.name and events.created_at >= wait.since
                and (wait.until is null or events.created_at <= wait.until)
                and events.id is distinct from wait.trigger_event
                and ${isVisible(sql)}
                and not exists (
                  select from workflow_step_executions as visit
                  where visit.project_id = events.project_id and visit.resumed_by = events.id
                    and visit.execution_id = wait.execution)
              order by events.created_at, events.id limit 1
            ) as event`
        )
        return new Map(
          found.map(({ execution, data, ...event }) => [execution, { ...event, data: isObject(data) ? data : {} }])
        )
      }, Effect.orDie),
      noteOrigins: Effect.fn("RunStore.noteOrigins")(function* ({ projectId, workflowId, chain }, events) {
        if (events.length === 0) return
        yield* sql`
          insert into workflow_event_origins (project_id, event_id, workflow_id, chain)
          select ${projectId}::uuid, id, ${workflowId}::uuid, ${chain}::int from unnest(${events}::uuid[]) as event(id)`
      }, Effect.orDie),
      postpone: Effect.fn("RunStore.postpone")(function* ({ projectId, id }, dueAt) {
        yield* sql`
          update workflow_executions set due_at = ${DateTime.toDate(dueAt)}, failures = failures + 1
          where project_id = ${projectId} and id = ${id} and due_at is not null`
      }, Effect.orDie),
      thaw: Effect.gen(function* () {
        const thawed = yield* sql`
          with recursive holding (project_id) as (
            (select project_id from workflow_executions where frozen order by project_id limit 1)
            union all
            select next.project_id from holding cross join lateral (
              select project_id from workflow_executions
              where frozen and project_id > holding.project_id order by project_id limit 1
            ) as next
          ),
          thawing as materialized (
            select execution.project_id, execution.id
            from holding cross join lateral (
              select project_id, id from workflow_executions
              where frozen and workflow_executions.project_id = holding.project_id
                and not exists (
                  select from projects where projects.id = holding.project_id and disabled_reason is not null)
              limit ${thawBatch} for update skip locked
            ) as execution
            limit ${thawBatch}
          )
          update workflow_executions as execution set frozen = false
          from thawing where execution.project_id = thawing.project_id and execution.id = thawing.id
          returning execution.id`
        return thawed.length
      }).pipe(Effect.orDie, Effect.withSpan("RunStore.thaw")),
      forgetDecisions: Effect.gen(function* () {
        for (const table of ["workflow_decisions", "workflow_event_origins"]) {
          let gone: ReadonlyArray<unknown>
          do {
            gone = yield* sql`
              delete from ${sql(table)} where ctid = any(array(
                select settled.ctid from ${sql(table)} as settled
                where not exists (
                  select from events where events.project_id = settled.project_id and events.id = settled.event_id
                    and dispatched_at is null)
                  and not exists (
                    select from event_dispatch_failures as failure
                    where failure.project_id = settled.project_id and failure.event_id = settled.event_id)
                limit ${forgetBatch}))
              returning event_id`
          } while (gone.length === forgetBatch)
        }
      }).pipe(Effect.orDie, Effect.withSpan("RunStore.forgetDecisions"))
    })
  })
)

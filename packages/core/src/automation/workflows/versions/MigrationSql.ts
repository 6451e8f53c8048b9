/** The statements of a migration of executions from versions to another one. */

import { ExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import { StepId } from "@posthorn/contract/automation/workflows/Step"
import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { currentStep } from "../executions/CurrentStepSql.ts"
import { appendVersions } from "../report/StepMoves.ts"

const LiveExecution = Schema.Struct({
  id: ExecutionId,
  stepId: Schema.NullOr(StepId),
  /** Whether its webhook request is on its way. */
  isBusy: Schema.Boolean
})
export type LiveExecution = typeof LiveExecution.Type

const liveRows = Schema.decodeUnknownEffect(Schema.Array(LiveExecution))
const planRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ stepId: Schema.NullOr(StepId), executions: Schema.Int }))
)
const numberRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ version: Schema.Int })))

export interface MovedExecution {
  readonly id: ExecutionId
  readonly toStepId: StepId
  /** The id of its next visit. */
  readonly visitId: string
}

export const make = (sql: SqlClient.SqlClient) => {
  const isLive = (project: ProjectId, id: WorkflowId) =>
    sql`execution.project_id = ${project} and execution.workflow_id = ${id} and execution.pinned
      and execution.status in ('RUNNING', 'WAITING')`

  /**
   * Locks executions in the order of their ids. Contacts come before executions, as everywhere; only an execution that
   * ends touches its contact.
   */
  const lock = Effect.fnUntraced(function* (
    project: ProjectId,
    which: Statement.Fragment,
    limit: number,
    { ends }: { readonly ends: boolean }
  ) {
    if (ends) {
      yield* sql`
        select from contacts
        where project_id = ${project} and id in (
          select contact_id from workflow_executions as execution where ${which} order by execution.id limit ${limit})
        order by email for key share`.unprepared
    }
    return yield* liveRows(
      yield* sql`
        select execution.id, execution.current_step_id as "stepId",
               coalesce(execution.lease_until > clock_timestamp(), false) as "isBusy"
        from workflow_executions as execution where ${which}
        order by execution.id limit ${limit} for update`.unprepared
    )
  })

  return {
    /** Live executions of these versions, by step. */
    plan: Effect.fn("MigrationSql.plan")(function* (
      project: ProjectId,
      id: WorkflowId,
      versions: ReadonlyArray<number>
    ): Effect.fn.Return<ReadonlyArray<{ readonly stepId: StepId | null; readonly executions: number }>, unknown> {
      return yield* planRows(
        yield* sql`
          select current_step_id as "stepId", count(*)::int as executions
          from workflow_executions as execution
          where ${isLive(project, id)} and version = any(${versions}::int[])
          group by 1 order by 1`
      )
    }, Effect.orDie),
    /** The versions that live executions are pinned to. */
    versions: Effect.fn("MigrationSql.versions")(function* (
      project: ProjectId,
      id: WorkflowId
    ): Effect.fn.Return<ReadonlyArray<number>, unknown> {
      const found = yield* numberRows(
        yield* sql`
          select distinct version from workflow_executions as execution where ${isLive(project, id)} order by version`
      )
      return found.map(({ version }) => version)
    }, Effect.orDie),
    /** Whether the version is there. It stays until the transaction ends, and so does the workflow. */
    holdVersion: Effect.fn("MigrationSql.holdVersion")(function* (project: ProjectId, id: WorkflowId, version: number) {
      yield* sql`select from workflows where project_id = ${project} and id = ${id} for share`
      const found = yield* sql`
        select 1 from workflow_versions
        where project_id = ${project} and workflow_id = ${id} and version = ${version} for share`
      return found.length > 0
    }, Effect.orDie),
    /** Locks the next executions of a version that started until `at`, in the order of their ids. */
    next: Effect.fn("MigrationSql.next")(function* (
      project: ProjectId,
      id: WorkflowId,
      version: number,
      {
        after,
        at,
        limit,
        ends
      }: {
        readonly after: string | null
        readonly at: DateTime.Utc
        readonly limit: number
        readonly ends: boolean
      }
    ): Effect.fn.Return<ReadonlyArray<LiveExecution>, unknown> {
      const which = sql`
        ${isLive(project, id)} and execution.version = ${version}
          and execution.created_at <= ${DateTime.toDate(at)}
          and ${after === null ? sql`true` : sql`execution.id > ${after}::uuid`}`
      return yield* lock(project, which, limit, { ends })
    }, Effect.orDie),
    /** Locks those of these executions that are live and not of the target version yet. */
    again: Effect.fn("MigrationSql.again")(function* (
      project: ProjectId,
      id: WorkflowId,
      target: number,
      ids: ReadonlyArray<string>,
      { ends }: { readonly ends: boolean }
    ): Effect.fn.Return<ReadonlyArray<LiveExecution>, unknown> {
      const which = sql`
        ${isLive(project, id)} and execution.version <> ${target} and execution.id = any(${ids}::uuid[])`
      return yield* lock(project, which, ids.length, { ends })
    }, Effect.orDie),
    /** Locked executions go on where they are. */
    keep: Effect.fn("MigrationSql.keep")(function* (
      project: ProjectId,
      target: number,
      ids: ReadonlyArray<ExecutionId>,
      now: DateTime.Utc
    ) {
      if (ids.length === 0) return
      yield* sql`
        with live as materialized (
          select * from workflow_executions where project_id = ${project} and id = any(${ids}::uuid[])
        ),
        counted as (${appendVersions(sql, target, { elsewhere: false }, DateTime.toDate(now))})
        update workflow_executions as execution set version = ${target},
               updated_at = greatest(execution.updated_at, ${DateTime.toDate(now)})
        from live where execution.project_id = live.project_id and execution.id = live.id`.unprepared
    }, Effect.orDie),
    /** Ends the visits of locked executions, which go on at other steps. */
    move: Effect.fn("MigrationSql.move")(function* (
      project: ProjectId,
      target: number,
      moved: ReadonlyArray<MovedExecution>,
      at: DateTime.Utc
    ) {
      if (moved.length === 0) return
      const now = DateTime.toDate(at)
      yield* sql`
        with live as materialized (
          select execution.*, moving."toStepId", moving."visitId", exists (
                   select from workflow_step_executions as begun
                   where begun.project_id = execution.project_id and begun.id = execution.step_execution_id) as is_begun
          from jsonb_to_recordset(${JSON.stringify(moved)}::text::jsonb) as moving(id uuid, "toStepId" uuid, "visitId" uuid)
          join workflow_executions as execution on execution.project_id = ${project} and execution.id = moving.id
        ),
        skipped as (
          insert into workflow_step_executions (project_id, id, execution_id, workflow_id, step_id, step_name,
            step_type, iteration, ordinal, status, attempts, config, output, completed_at, created_at, updated_at)
          select live.project_id, step_execution_id, live.id, live.workflow_id, step.id, step.name, step.type,
                 (select count(*) + 1 from workflow_step_executions as earlier
                  where earlier.project_id = live.project_id and earlier.execution_id = live.id
                    and earlier.step_id = step.id),
                 steps_taken + 1, 'SKIPPED', 0, step.config, '{"reason": "migrated"}', ${now}::timestamptz,
                 current_since, ${now}::timestamptz
          from live cross join lateral ${currentStep(sql, "live")} as step
          on conflict (project_id, id) do update set status = excluded.status, output = excluded.output,
            completed_at = excluded.completed_at, updated_at = excluded.updated_at
        ),
        counted as (${appendVersions(sql, target, { elsewhere: true }, now)})
        update workflow_executions as execution
        set version = ${target}, current_step_id = live."toStepId", step_execution_id = live."visitId",
            current_since = ${now}::timestamptz, status = 'RUNNING', due_at = ${now}::timestamptz, resume_at = null,
            wait_event = null, looked_at = null, outside = false, failures = 0, lease_until = null,
            steps_taken = live.steps_taken + case when live.is_begun then 0 else 1 end,
            updated_at = greatest(execution.updated_at, ${now}::timestamptz)
        from live where execution.project_id = live.project_id and execution.id = live.id`.unprepared
    }, Effect.orDie)
  }
}

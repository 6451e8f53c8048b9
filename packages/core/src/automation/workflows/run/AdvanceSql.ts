/**
 * The most frequent write of the runner: stores the progress of a batch of executions and their visits in one
 * statement.
 *
 * A visit is stored when it ends or starts to wait, so a step without a wait costs one insert and no update.
 * `iteration` is counted from the stored visits of the step.
 */

import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { recordExecutionEnds } from "../executions/ExecutionEvents.ts"
import { appendMoves } from "../report/StepMoves.ts"
import type { Advance, ExecutionKey, StepVisit } from "./RunStore.ts"

const iso = (at: DateTime.Utc | null) => at && DateTime.formatIso(at)

interface VisitOf {
  readonly of: ExecutionKey & { readonly workflowId: WorkflowId }
  readonly visit: StepVisit
}

export const visitStatement = (
  sql: SqlClient.SqlClient,
  written: ReadonlyArray<VisitOf>,
  now: Date
): Statement.Statement<unknown> => {
  const rows = written.map(({ of, visit }) => ({
    ...visit,
    projectId: of.projectId,
    executionId: of.id,
    workflowId: of.workflowId,
    scheduledFor: iso(visit.scheduledFor),
    startedAt: iso(visit.startedAt),
    completedAt: iso(visit.completedAt),
    createdAt: iso(visit.createdAt)
  }))
  return sql`
    insert into workflow_step_executions as stored (project_id, id, execution_id, workflow_id, step_id, step_name,
      step_type, iteration, ordinal, status, attempts, config, request, output, error, branch, scheduled_for,
      resumed_by, started_at, completed_at, created_at, updated_at)
    select "projectId", id, "executionId", "workflowId", "stepId", name, type,
           (select count(*) + 1 from workflow_step_executions as earlier
            where earlier.project_id = "projectId" and earlier.execution_id = "executionId"
              and earlier.step_id = "stepId"),
           ordinal, status, attempts, config, request, output, error, branch, "scheduledFor", "resumedBy",
           "startedAt", "completedAt", "createdAt", ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as visit(
      "projectId" uuid, id uuid, "executionId" uuid, "workflowId" uuid, "stepId" uuid, name text, type text, ordinal int,
      status text, attempts int, config jsonb, request jsonb, output jsonb, error jsonb, branch text, "scheduledFor" timestamptz,
      "resumedBy" uuid, "startedAt" timestamptz, "completedAt" timestamptz, "createdAt" timestamptz)
    on conflict (project_id, id) do update set status = excluded.status, attempts = excluded.attempts,
      config = excluded.config, request = excluded.request, output = excluded.output, error = excluded.error, branch = excluded.branch,
      scheduled_for = excluded.scheduled_for, resumed_by = excluded.resumed_by, completed_at = excluded.completed_at,
      updated_at = excluded.updated_at`
}

/** Returns the executions that no other process has changed meanwhile. Only these are updated. */
export const advanceStatement = (
  sql: SqlClient.SqlClient,
  advances: ReadonlyArray<Advance>,
  at: DateTime.Utc
): Statement.Statement<unknown> => {
  const now = DateTime.toDate(at)
  const rows = advances.map(({ visits: _, workflowId: __, countedVersion: ___, moves: ____, ...advance }) => ({
    ...advance,
    since: iso(advance.since),
    lookedAt: iso(advance.lookedAt),
    resumeAt: iso(advance.resumeAt),
    dueAt: iso(advance.dueAt),
    completedAt: iso(advance.completedAt)
  }))
  const moving = advances.filter(({ moves }) => moves.length > 0)
  const visits = advances.flatMap(({ visits, ...of }) => visits.map((visit) => ({ of, visit })))
  return sql`
    with visited as (${visitStatement(sql, visits, now)}),
    ${moving.length === 0 ? sql`` : sql`moved as (${appendMoves(sql, moving, now)}),`}
    advanced as (
      update workflow_executions as execution
      set status = advance.status, current_step_id = advance."currentStepId", step_execution_id = advance."visitId",
          current_since = advance.since, steps_taken = advance."stepsTaken",
          context = coalesce(advance.context, execution.context), wait_event = advance."waitEvent", looked_at = advance."lookedAt",
          resume_at = advance."resumeAt", due_at = advance."dueAt", outside = advance.outside, failures = 0,
          lease_until = null, exit_reason = advance."exitReason", error = advance.error,
          completed_at = case when advance."completedAt" is not null
                         then greatest(advance."completedAt", execution.updated_at) end,
          updated_at = greatest(execution.updated_at, ${now}::timestamptz)
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as advance(
        "projectId" uuid, id uuid, expected int, "stepsTaken" int, status text, "currentStepId" uuid, "visitId" uuid,
        since timestamptz, context jsonb, "waitEvent" text, "lookedAt" timestamptz, "resumeAt" timestamptz, "dueAt" timestamptz, outside boolean,
        "exitReason" text, error jsonb, "completedAt" timestamptz)
      where execution.project_id = advance."projectId" and execution.id = advance.id
        and execution.steps_taken = advance.expected and execution.status in ('RUNNING', 'WAITING')
      returning execution.*
    ),
    recorded as (${recordExecutionEnds(sql, sql`select * from advanced`, at)})
    select id from advanced`
}

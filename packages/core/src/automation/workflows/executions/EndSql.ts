/** Ends executions before their last step: on request, by an exit rule, or with their project. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { appendEnds } from "../report/StepMoves.ts"
import { currentStep } from "./CurrentStepSql.ts"
import { recordExecutionEnds } from "./ExecutionEvents.ts"

export interface EndedExecution {
  readonly project: ProjectId
  readonly id: string
  readonly status: "CANCELLED" | "EXITED"
  /** The `exitReason` of the execution. */
  readonly reason: string
  readonly ruleId: string | null
  /** The reason in the output of the visit at hand. */
  readonly because: string
}

/**
 * Ends executions that the transaction has locked. Their current visits become SKIPPED, except a visit whose request is
 * running: the worker that makes the request ends it, or it is given up when the lease expires.
 *
 * A step may have begun between `at` and the lock, so an execution ends no earlier than its last change. That is why no
 * statement sets the time of its last change back.
 */
export const endExecutions = (
  sql: SqlClient.SqlClient,
  executions: ReadonlyArray<EndedExecution>,
  at: DateTime.Utc
): Statement.Statement<unknown> => {
  const now = DateTime.toDate(at)
  return sql`
    with named as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(executions)}::text::jsonb)
        as named(project uuid, id uuid, status text, reason text, "ruleId" text, because text)
    ),
    ended as (
      update workflow_executions as execution
      set status = live.status, exit_reason = live.reason, exit_rule_id = live."ruleId",
          completed_at = greatest(${now}, updated_at), updated_at = greatest(${now}, updated_at),
          resume_at = null, wait_event = null, due_at = case when is_requesting then due_at end
      from (
        select named.*, coalesce(lease_until > clock_timestamp(), false) as is_requesting
        from named join workflow_executions as held on held.project_id = named.project and held.id = named.id
      ) as live
      where execution.project_id = live.project and execution.id = live.id
      returning execution.*, is_requesting, because
    ),
    moved as (${appendEnds(sql, now)}),
    recorded as (${recordExecutionEnds(sql, sql`select * from ended`, at)})
    insert into workflow_step_executions as stored (project_id, id, execution_id, workflow_id, step_id, step_name,
      step_type, iteration, ordinal, status, attempts, config, output, completed_at, created_at, updated_at)
    select ended.project_id, step_execution_id, ended.id, ended.workflow_id, step.id, step.name, step.type,
           (select count(*) + 1 from workflow_step_executions as earlier
            where earlier.project_id = ended.project_id and earlier.execution_id = ended.id
              and earlier.step_id = step.id),
           steps_taken + 1, 'SKIPPED', 0, step.config, jsonb_build_object('reason', because), ended.completed_at,
           current_since, ended.completed_at
    from ended
    cross join lateral ${currentStep(sql, "ended")} as step
    where not is_requesting
    on conflict (project_id, id) do update set status = excluded.status, output = excluded.output,
      completed_at = excluded.completed_at, updated_at = excluded.updated_at`
}

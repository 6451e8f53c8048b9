/**
 * What executions do at steps, as the report of a workflow counts it: they enter a step and leave it. The workflow itself
 * counts as a step that its executions enter when they start and leave when they end.
 *
 * Each statement that starts, continues or ends executions appends one row for each workflow, step and branch. The rows
 * become totals and days later, so that no writer waits for another.
 */
import type { StepExecutionStatus } from "@posthorn/contract/automation/workflows/Execution"
import type { StepId } from "@posthorn/contract/automation/workflows/Step"
import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { nilId } from "@posthorn/contract/platform/Primitives"
import type { SqlClient, Statement } from "effect/sql"

/** How a visit began or ended. `dropped`: it ended, but not by itself. */
export type MoveKind = "entered" | "completed" | "skipped" | "failed" | "dropped"

export interface StepMove {
  readonly stepId: StepId | typeof wholeWorkflow
  readonly move: MoveKind
  /** The branch on which the visit was completed; of a workflow, the status with which the execution ended. */
  readonly branch: string | null
}

/** The moves of an execution. */
export interface ExecutionMoves {
  readonly projectId: ProjectId
  readonly workflowId: WorkflowId
  /** The version with which the execution is counted. */
  readonly countedVersion: number
  readonly moves: ReadonlyArray<StepMove>
}

/** The nil id. It stands for the workflow among its steps. */
export const wholeWorkflow = nilId

/**
 * The version with which an execution is counted: that of its start or of its last migration, and 1 for those that
 * started before their workflow had versions.
 */
export const countedVersion = (execution: string): string => `coalesce(${execution}.version, 1)`

/** The move that the end of a visit is. Undefined while it has not ended. */
export const moveAtEnd = (status: StepExecutionStatus): "completed" | "skipped" | "failed" | undefined =>
  status === "COMPLETED" ? "completed" : status === "SKIPPED" ? "skipped" : status === "FAILED" ? "failed" : undefined

const columns = "project_id, workflow_id, version, step_id, branch, day"

const dayOf = (sql: SqlClient.SqlClient, now: Date) => sql`(${now}::timestamptz at time zone 'UTC')::date`

/** A statement that appends these moves, one row for each workflow, step and branch. */
export const appendMoves = (
  sql: SqlClient.SqlClient,
  executions: ReadonlyArray<ExecutionMoves>,
  now: Date
): Statement.Statement<unknown> => {
  const counts = new Map<string, { readonly key: object; readonly counts: { [Name in MoveKind]?: number } }>()
  for (const { projectId, workflowId, countedVersion: version, moves } of executions) {
    for (const { stepId, move, branch } of moves) {
      const key = { projectId, workflowId, version, stepId, branch: (move === "completed" && branch) || "" }
      const found = counts.get(JSON.stringify(key)) ?? { key, counts: {} }
      found.counts[move] = (found.counts[move] ?? 0) + 1
      counts.set(JSON.stringify(key), found)
    }
  }
  const rows = [...counts.values()].map(({ key, counts }) => ({ ...key, ...counts }))
  return sql`
    insert into workflow_step_deltas (${sql.literal(columns)}, entered, completed, skipped, failed, dropped)
    select "projectId", "workflowId", version, "stepId", branch, ${dayOf(sql, now)}, coalesce(entered, 0),
           coalesce(completed, 0), coalesce(skipped, 0), coalesce(failed, 0), coalesce(dropped, 0)
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as moved("projectId" uuid, "workflowId" uuid,
      version int, "stepId" uuid, branch text, entered int, completed int, skipped int, failed int, dropped int)`
}

/** A statement that appends the starts of `started`, rows of `workflow_executions`. */
export const appendStarts = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment => sql`
  insert into workflow_step_deltas (${sql.literal(columns)}, entered)
  select project_id, workflow_id, ${sql.literal(countedVersion("started"))}, step_id, '', ${dayOf(sql, now)}, count(*)
  from started
  cross join lateral (values (${wholeWorkflow}::uuid), (current_step_id)) as places (step_id)
  where step_id is not null group by 1, 2, 3, 4`

/**
 * A statement that appends the ends of `ended`, rows of `workflow_executions` whose visit was skipped, or still makes
 * its request (`is_requesting`).
 */
export const appendEnds = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment => sql`
  insert into workflow_step_deltas (${sql.literal(columns)}, completed, skipped, dropped)
  select project_id, workflow_id, version, step_id, branch, ${dayOf(sql, now)}, sum(completed), sum(skipped),
         sum(dropped)
  from (
    select project_id, workflow_id, ${sql.literal(countedVersion("ended"))} as version, ${wholeWorkflow}::uuid as step_id,
           status as branch, 1 as completed, 0 as skipped, 0 as dropped
    from ended
    union all
    select project_id, workflow_id, ${sql.literal(countedVersion("ended"))}, current_step_id, '', 0, (not is_requesting)::int, is_requesting::int
    from ended where current_step_id is not null
  ) as moved
  group by 1, 2, 3, 4, 5`

/** A statement that appends that the executions of `retried` have not ended, and visit their step again. */
export const appendRetries = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment => sql`
  insert into workflow_step_deltas (${sql.literal(columns)}, entered, completed)
  select project_id, workflow_id, ${sql.literal(countedVersion("retried"))}, moved.step_id, branch, ${dayOf(sql, now)},
         entered, completed
  from retried
  cross join lateral (
    values (${wholeWorkflow}::uuid, 'FAILED', 0, -1), (current_step_id, '', 1, 0)
  ) as moved (step_id, branch, entered, completed)`

/** A statement that counts a visit by its end, which came after the end of its execution. */
export const appendLateEnd = (
  sql: SqlClient.SqlClient,
  of: Omit<ExecutionMoves, "moves">,
  { stepId, status }: { readonly stepId: StepId; readonly status: StepExecutionStatus },
  now: Date
): Statement.Fragment => {
  const move = moveAtEnd(status) ?? "skipped"
  return sql`
    insert into workflow_step_deltas (${sql.literal(columns)}, ${sql.literal(move)}, dropped)
    values (${of.projectId}::uuid, ${of.workflowId}::uuid, ${of.countedVersion}::int, ${stepId}::uuid, '', ${dayOf(sql, now)}, 1, -1)`
}

/**
 * A statement that counts the executions of `live`, rows of `workflow_executions`, with another version from now on.
 * With a column `toStepId`, their visit was skipped and they go on there; else it goes on.
 */
export const appendVersions = (
  sql: SqlClient.SqlClient,
  target: number,
  { elsewhere }: { readonly elsewhere: boolean },
  now: Date
): Statement.Fragment => {
  const before = sql.literal(countedVersion("live"))
  const visits = elsewhere
    ? sql`(${before}, current_step_id, 0, 1), (${target}::int, "toStepId", 1, 0)`
    : sql`(${before}, current_step_id, -1, 0), (${target}::int, current_step_id, 1, 0)`
  return sql`
    insert into workflow_step_deltas (${sql.literal(columns)}, entered, skipped)
    select project_id, workflow_id, counted, step_id, '', ${dayOf(sql, now)}, sum(entered), sum(skipped)
    from live
    cross join lateral (
      values (${before}, ${wholeWorkflow}::uuid, -1, 0), (${target}::int, ${wholeWorkflow}::uuid, 1, 0), ${visits}
    ) as moved (counted, step_id, entered, skipped)
    where step_id is not null
    group by 1, 2, 3, 4 having (sum(entered), sum(skipped)) is distinct from (0, 0)`
}

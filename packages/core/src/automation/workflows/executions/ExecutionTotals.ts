/** How many executions began, by the time at which they did. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { quarterFrom, quarterOf } from "../../../platform/QuarterHours.ts"
import { countOf } from "../../../platform/Queries.ts"
import { rowCounts } from "../../../platform/RowCounts.ts"
import type { Window } from "../../../platform/TimeWindows.ts"

/** As the trigger writes it. */
const keyOf = (quarter: DateTime.Utc) => DateTime.formatIso(quarter).slice(0, "2026-03-01T00:00".length)

/** Kept by the statements that start executions, by the quarter of an hour; it stays when they go. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const counted = (project: ProjectId, { from, until }: Window) => sql`
    select count(*) as count from workflow_executions
    where project_id = ${project} and started_at >= ${DateTime.toDate(from)} and started_at < ${DateTime.toDate(until)}`

  /**
   * Executions that began in the window. Whole quarters of an hour come from the totals; at its edges rows are counted,
   * so executions that were deleted since are missing there.
   */
  const started = Effect.fn("ExecutionTotals.started")(function* (project: ProjectId, { from, until }: Window) {
    const first = quarterFrom(from)
    const last = quarterOf(until)
    const keys = sql`key >= array[${keyOf(first)}::text] and key < array[${keyOf(last)}::text]`
    const parts = DateTime.isLessThan(last, first)
      ? counted(project, { from, until })
      : sql`
          ${counted(project, { from, until: first })}
          union all
          select count from ${rowCounts(sql, project, "workflow_starts", keys)} as kept
          union all
          ${counted(project, { from: last, until })}`
    return yield* countOf(sql`select coalesce(sum(count), 0)::int as count from (${parts}) as parts`)
  })

  return { started }
})

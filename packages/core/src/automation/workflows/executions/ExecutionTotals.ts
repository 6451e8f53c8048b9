/** The number of executions started, by time. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { quarterFrom, quarterOf } from "../../../platform/QuarterHours.ts"
import { countOf } from "../../../platform/Queries.ts"
import { rowCounts } from "../../../platform/RowCounts.ts"
import type { TimeWindow } from "../../../platform/TimeWindows.ts"

/** In the format of the database trigger that counts. */
const keyOf = (quarter: DateTime.Utc) => DateTime.formatIso(quarter).slice(0, "2026-03-01T00:00".length)

/** Statements that start executions update totals by the quarter hour. The totals stay after executions are deleted. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const counted = (project: ProjectId, { from, until }: TimeWindow) => sql`
    select count(*) as count from workflow_executions
    where project_id = ${project} and started_at >= ${DateTime.toDate(from)} and started_at < ${DateTime.toDate(until)}`

  /**
   * The number of executions that started in the window. Whole quarter hours come from the totals. At the edges rows
   * are counted, so executions deleted since are missing there.
   */
  const started = Effect.fn("ExecutionTotals.started")(function* (project: ProjectId, { from, until }: TimeWindow) {
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

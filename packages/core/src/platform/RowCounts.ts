/**
 * Numbers of rows of each project, for tables that are too large to count. Triggers update them in the transaction that
 * writes the rows, so they are always exact.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as RollUp from "./RollUp.ts"

/** The counted tables, and the columns of each key, in this order. */
export interface RowKeys {
  readonly events: readonly [source: string, name: string]
  readonly emails: readonly [status: string, sourceType: string]
  readonly workflow_executions: readonly [workflow: string, state: "live" | "over"]
  readonly opt_ins: readonly [state: "ended" | "open"]
  readonly webhook_deliveries: readonly [endpoint: string, status: string]
  /** Includes deleted executions. A quarter of an hour is `2026-03-01T00:15`, in UTC. */
  readonly workflow_starts: readonly [quarter: string]
}

/**
 * A sub-select of `key` and `count`. A key may occur several times; the query sums its counts. `keys` is a condition on
 * `key`; without it, all keys.
 */
export const rowCounts = (
  sql: SqlClient.SqlClient,
  project: ProjectId | Statement.Fragment,
  relation: keyof RowKeys,
  keys?: Statement.Fragment
): Statement.Fragment => {
  const which = sql.and([
    sql`project_id = ${project}`,
    sql`relation = ${sql.literal(`'${relation}'`)}`,
    ...(keys === undefined ? [] : [keys])
  ])
  return sql`
    (select key, count from row_counts where ${which} union all
     select key, count from row_count_deltas where ${which})`
}

/** Merges the entries of writers. */
export const rollUp: Effect.Effect<void, never, SqlClient.SqlClient> = SqlClient.SqlClient.use((sql) =>
  RollUp.rollUp(sql, {
    deltas: "row_count_deltas",
    totals: "row_counts",
    key: ["project_id", "relation", "key"],
    sums: ["count"]
  })
).pipe(
  // Concurrent writers always add entries, so the loop ends at the first batch that is not full.
  Effect.repeat({ while: (isFull) => isFull }),
  Effect.asVoid,
  Effect.orDie,
  Effect.withSpan("RowCounts.rollUp")
)

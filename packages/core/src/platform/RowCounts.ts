/**
 * Numbers of rows of each project, for tables that are too large to count. Triggers update them in the transaction that
 * writes the rows, so they are always exact.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"

/** The counted tables, and the columns of each key, in this order. */
export interface RowKeys {
  readonly events: readonly [source: string, name: string]
  readonly emails: readonly [status: string, sourceType: string]
  readonly workflow_executions: readonly [workflow: string, state: "live" | "over"]
  readonly webhook_deliveries: readonly [endpoint: string, status: string]
  /** Includes deleted executions. A quarter of an hour is `2026-03-01T00:15`, in UTC. */
  readonly workflow_starts: readonly [quarter: string]
}

const rollUpBatch = 10_000

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

/** Merges the entries of writers, some thousand at a time. */
export const rollUp: Effect.Effect<void, never, SqlClient.SqlClient> = SqlClient.SqlClient.use(
  (sql) => sql`
        with taken as (
          delete from row_count_deltas where (project_id, relation, key, id) in (
            select project_id, relation, key, id from row_count_deltas limit ${rollUpBatch} for update skip locked
          )
          returning *
        ),
        rolled as (
          insert into row_counts as held (project_id, relation, key, count)
          select project_id, relation, key, sum(count) from taken
          group by project_id, relation, key order by project_id, relation, key
          on conflict (project_id, relation, key) do update set count = held.count + excluded.count
        )
        select 1 from taken`
).pipe(
  // While others write there is always one more entry, so a batch that is not full is the last.
  Effect.repeat({ while: (taken) => taken.length === rollUpBatch }),
  Effect.asVoid,
  Effect.orDie,
  Effect.withSpan("RowCounts.rollUp")
)

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The metrics of waiting work add up kept totals of all projects, and read only the entries of what waits.
 *
 * `drift` of a counter of usage is its difference to the kept totals of emails when it was last compared with the emails
 * themselves. While it stays, so does the result of that comparison.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create index row_counts_pending on row_counts (project_id) where relation = 'emails' and key[1] = 'PENDING'`
  yield* sql`
    create index row_counts_live on row_counts (project_id) where relation = 'workflow_executions' and key[2] = 'live'`
  yield* sql`alter table billing_usage add column drift bigint`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The totals of one event over a year are next to each other in an index. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index event_totals_name on event_totals (project_id, name, quarter) include (count)`
})

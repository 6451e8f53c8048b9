import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * `released_version` of a workflow is the version whose live executions are about to follow the graph, because the
 * workflow is edited live again. Null: none is.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table workflows add column released_version integer`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** For lists of contacts in the order of their last change. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index contacts_updated_at on contacts (project_id, updated_at, id)`
})

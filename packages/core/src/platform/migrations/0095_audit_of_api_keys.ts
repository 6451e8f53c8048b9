import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The API key that made a change, with the name that it had then: the entry outlives the key. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table audit_log add column api_key_id uuid, add column api_key_name text`
})

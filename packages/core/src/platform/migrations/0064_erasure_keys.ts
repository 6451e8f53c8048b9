import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Keys of previous secrets, under which erased addresses are hashed. Each is sealed with the installation's secret, so
 * that the hashes stay valid when that secret is replaced.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table erasure_keys (
      id text primary key,
      key text not null,
      created_at timestamptz not null
    )`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** When contacts joined tracked dynamic segments. Null for those that joined before. `added_at` is of static segments. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table segment_members add column joined_at timestamptz`
})

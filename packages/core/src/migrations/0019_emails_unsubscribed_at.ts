import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * When the recipient unsubscribed through a link of this mail, for the first time: counted once, however often.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table emails add column unsubscribed_at timestamptz`
})

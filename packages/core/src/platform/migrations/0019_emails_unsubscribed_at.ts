import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** When the recipient first unsubscribed through a link of this email. Repeated unsubscribing counts once. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table emails add column unsubscribed_at timestamptz`
})

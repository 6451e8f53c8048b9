import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The timeline of a mail has the limits of its mailbox provider, which it finds by their queue. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index shaping_log_queue on shaping_log (queue, at)`
})

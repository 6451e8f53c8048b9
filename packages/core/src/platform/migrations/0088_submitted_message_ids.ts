import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The Message-ID of a message that a client submitted by SMTP, so that replies find it in the client's system. Reports
 * find mail by it. Other mail has its Message-ID from its id, and is not in the index.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table emails add column message_id text`
  yield* sql`create index emails_message_id on emails (message_id) where message_id is not null`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The link of a letter, sealed: it works as well as a password, so nobody who reads the database may follow it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table system_mails add column link text`
})

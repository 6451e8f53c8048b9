import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The sealed link of an email. The link grants access like a password, so a reader of the database must not be able to
 * follow it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table system_mails add column link text`
})

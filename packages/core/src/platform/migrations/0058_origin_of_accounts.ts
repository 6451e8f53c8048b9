import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The network that an account was created from, a /24 or /64. The recipient of the confirmation can see whether it was
 * their own.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table users add column made_from text`
})

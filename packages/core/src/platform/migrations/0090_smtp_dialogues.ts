import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The lines of SMTP tries, as `[{at, from, text}]`. `reused`: the connection had taken an email before. `smtp_dialogue`
 * says which tries of a project keep them.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table email_attempts add column dialogue jsonb, add column reused boolean`
  yield* sql`alter table projects add column smtp_dialogue text not null default 'FAILURES'`
})

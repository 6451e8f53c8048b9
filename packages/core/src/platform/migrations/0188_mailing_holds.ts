import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What held all mails of a campaign, by reason (PAUSED, WARMUP): `{at, until}`, with the first `at` and the last `until`,
 * which is null while it holds without an end. So no mail is rewritten when its campaign is held.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table mailings add column holds jsonb not null default '{}'`
})

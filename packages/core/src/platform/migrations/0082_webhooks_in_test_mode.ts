import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Whether a webhook endpoint also receives the events of test mail. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table webhook_endpoints add column test_mode boolean not null default false`
})

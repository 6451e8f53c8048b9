import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Whether inbound mail that fails DMARC is rejected. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table projects add column reject_dmarc_failures boolean not null default false`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Another campaign, and which of its recipients alone get this one: `{campaignId, who}`. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table campaigns add column recipients_of jsonb`
})

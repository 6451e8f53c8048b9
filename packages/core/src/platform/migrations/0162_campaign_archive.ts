import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Whether a campaign is shown in the public archive. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table campaigns add column archive boolean not null default false`
  yield* sql`
    create index campaigns_archived on campaigns (project_id, sent_at desc, id desc)
    where archive and type = 'MARKETING' and status = 'SENT'`
})

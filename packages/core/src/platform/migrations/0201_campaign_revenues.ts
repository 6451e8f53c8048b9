import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The revenue of campaigns by hour and by mailbox provider, as text in `key`. By variant alone, it is in
 * `conversion_totals`.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table campaign_revenues (
      project_id uuid not null,
      campaign_id uuid not null,
      kind text collate "C" not null,
      key text collate "C" not null,
      variant text collate "C" not null,
      currency text collate "C" not null,
      amount numeric(24, 4) not null,
      primary key (project_id, campaign_id, kind, key, variant, currency)
    )`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Clicks on the links of a campaign count by the variant of the mail. Blank: mail without variants, and other owners. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table link_deltas add column variant text collate "C" not null default ''`
  yield* sql`
    alter table link_totals
      add column variant text collate "C" not null default '',
      drop constraint link_totals_pkey,
      add primary key (project_id, owner_id, link, variant)`
})

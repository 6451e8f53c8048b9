import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Goals of campaigns. A row of `conversions` of a campaign is one for each contact: its first event, with the mail that it
 * counts for. Later events only add to `conversion_totals`, where `conversions` counts contacts and `events` events.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table campaigns add column goal jsonb`
  yield* sql`alter table conversions add column email_id uuid, add column variant text collate "C"`
  yield* sql`
    create unique index conversions_recipient on conversions (project_id, owner_id, contact_id) where owner = 'CAMPAIGN'`
  yield* sql`
    alter table conversion_totals
      add column variant text collate "C" not null default '',
      add column events integer not null default 0`
  yield* sql`update conversion_totals set events = conversions`
  yield* sql`alter table conversion_totals drop constraint conversion_totals_pkey`
  yield* sql`alter table conversion_totals add primary key (project_id, owner, owner_id, day, currency, variant)`
})

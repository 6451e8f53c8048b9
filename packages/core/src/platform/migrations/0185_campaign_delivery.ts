import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * When the mails of a campaign are sent. `campaigns.starts_at` is when sending starts, if that is not `scheduled_for`.
 *
 * `mailings.timing` says when each mail is due (`CampaignTiming.ts`). From `expires_at` on no first try begins. While
 * `expiring`, the mails that were not tried are being cancelled, and the mailing is closed.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table campaigns add column delivery jsonb, add column starts_at timestamptz`
  yield* sql`drop index campaigns_scheduled_for`
  yield* sql`
    create index campaigns_starts_at on campaigns (coalesce(starts_at, scheduled_for)) where status = 'SCHEDULED'`
  yield* sql`
    alter table mailings add column timing jsonb, add column expires_at timestamptz,
      add column expiring boolean not null default false`
  yield* sql`create index mailings_expires_at on mailings (expires_at) where expires_at is not null`
})

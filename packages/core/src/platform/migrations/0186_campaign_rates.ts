import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * How campaigns share the sender: `priority` is 1 to 5. `mailing_rates` has a row for each campaign with a rate: its
 * mails have used the time until `used_until` (`mail/sending/MailingRates.ts`).
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table campaigns add column priority smallint not null default 3`
  yield* sql`alter table mailings add column priority smallint not null default 3`
  yield* sql`
    create table mailing_rates (
      project_id uuid not null,
      campaign_id uuid not null,
      per_minute integer not null,
      used_until timestamptz not null default '-infinity',
      primary key (project_id, campaign_id)
    ) with (fillfactor = 50)`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Emails of campaigns. They wait in a lane of their own, in an index by campaign, so that a claim reads only campaigns
 * that may send, and never passes over the emails of one that may not.
 *
 * `recipient_id` is the contact of the email, kept when the contact is deleted. It is unique in its campaign. `frozen`
 * is the data of the contact that the text uses, as it was when the first try began. The text is built from it and the
 * mailing, the same each time.
 *
 * Triggers count every transition of an email for its campaign, in the statement that makes the transition.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table emails
      add column recipient_id uuid,
      add column frozen jsonb,
      add column if not exists unsubscribed_at timestamptz`
  yield* sql`
    create index emails_due_campaign on emails (project_id, campaign_id, due_at, id)
      where status = 'PENDING' and lane = 2`
  yield* sql`
    create unique index emails_recipient on emails (project_id, campaign_id, recipient_id)
      where recipient_id is not null`

  /**
   * One row for each campaign whose counters change. An email counts once in each counter. Test emails do not count.
   */
  const counters = {
    pending: "status in ('PENDING', 'SENDING')",
    sent: "status in ('SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED')",
    delivered: "delivered_at is not null",
    opened: "opens > 0",
    clicked: "clicks > 0",
    bounced: "bounced_at is not null",
    complained: "complained_at is not null",
    unsubscribed: "unsubscribed_at is not null",
    failed: "status = 'FAILED'",
    suppressed: "status = 'SUPPRESSED'",
    cancelled: "status = 'CANCELLED'",
    ambiguous: "status = 'AMBIGUOUS'",
    machine_opened: "machine_opens > 0 and machine_opens = opens",
    machine_clicked: "machine_clicks > 0 and machine_clicks = clicks"
  }
  const names = Object.keys(counters).join(", ")
  const sums = Object.entries(counters).map(
    ([name, holds]) => `coalesce(sum(n) filter (where ${holds}), 0)::int as ${name}`
  )
  const tally = (name: string, moved: string) =>
    sql.unsafe(`
      create function ${name}() returns trigger language plpgsql as $$
      begin
        if not exists (select from new_mails where recipient_id is not null) then return null; end if;
        insert into campaign_deltas (project_id, campaign_id, ${names})
        select project_id, campaign_id, ${names}
        from (
          select project_id, campaign_id, ${sums.join(", ")}
          from (${moved}) as moved
          where recipient_id is not null
          group by project_id, campaign_id
        ) as sums
        where (${names}) is distinct from (${Object.keys(counters)
          .map(() => 0)
          .join(", ")});
        return null;
      end $$`)
  yield* tally("tally_made", "select *, 1 as n from new_mails")
  yield* tally("tally_moved", "select *, 1 as n from new_mails union all select *, -1 as n from old_mails")
  yield* sql`
    create trigger emails_made after insert on emails
      referencing new table as new_mails for each statement execute function tally_made()`
  yield* sql`
    create trigger emails_moved after update on emails
      referencing old table as old_mails new table as new_mails for each statement execute function tally_moved()`
})

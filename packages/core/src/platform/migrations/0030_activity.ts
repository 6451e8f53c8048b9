import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Indexes and totals of the activity feed and the analytics.
 *
 * The feed merges lists, each in the order of an index: the changes of emails, with an index for each kind, tracked
 * events, and the changes of campaigns. Emails whose contact was deleted are in none of them.
 *
 * Totals are stored by quarter of an hour, since days start with a quarter in all time zones. Transitions of emails add
 * to `mail_total_deltas`, which is only inserted into, so that no two workers wait for one row. `mail_totals` has the
 * merged part. A job counts the tracked events of finished quarters, so that tracking does not pay for it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`select quote_ident(current_schema()) as schema`
  const schema = String(row?.["schema"])

  // These two replace indexes without the id, so that a sent email has no further index to write. The indexes include
  // all columns that counting entries of the feed needs, so that counting reads no emails.
  yield* sql`drop index emails_sent_at`
  yield* sql`
    create index emails_sent_at on emails (project_id, sent_at, id) include (contact_id, campaign_id)
      where sent_at is not null and not test`
  yield* sql`drop index emails_complained`
  yield* sql`
    create index emails_complained_at on emails (project_id, complained_at, id) include (contact_id, campaign_id, test)
      where complained_at is not null`
  for (const column of ["delivered_at", "opened_at", "clicked_at", "bounced_at", "failed_at", "suppressed_at"]) {
    yield* sql.unsafe(`
      create index emails_${column} on emails (project_id, ${column}, id) include (contact_id, campaign_id)
        where ${column} is not null and contact_id is not null and not test`)
  }
  yield* sql`
    create index events_tracked on events (project_id, created_at, id) include (name) where source = 'tracked'`

  yield* sql`alter table campaigns add column scheduled_at timestamptz`
  yield* sql`update campaigns set scheduled_at = updated_at where status = 'SCHEDULED'`
  yield* sql`
    create index campaigns_scheduled_at on campaigns (project_id, scheduled_at, id) where scheduled_at is not null`
  yield* sql`
    create index campaigns_sent_at on campaigns (project_id, sent_at, id) where sent_at is not null`

  /** The milestones of an email and their times, each at most once. `machine_*`: opens and clicks by machines only. */
  const milestones = {
    sent: "sent_at",
    delivered: "delivered_at",
    opened: "opened_at",
    clicked: "clicked_at",
    bounced: "bounced_at",
    complained: "complained_at",
    machine_opened: "case when machine_opens > 0 and machine_opens = opens then opened_at end",
    machine_clicked: "case when machine_clicks > 0 and machine_clicks = clicks then clicked_at end"
  }
  const names = Object.keys(milestones)
  const counters = names.map((name) => `${name} integer not null`).join(", ")
  yield* sql.unsafe(`
    create table mail_totals (
      project_id uuid not null,
      quarter timestamptz not null,
      ${counters},
      primary key (project_id, quarter)
    ) with (fillfactor = 70)`)
  yield* sql.unsafe(`
    create table mail_total_deltas (
      project_id uuid not null,
      quarter timestamptz not null,
      id bigint generated always as identity,
      ${counters},
      primary key (project_id, quarter, id)
    )`)

  const columns =
    "project_id, test, opens, clicks, machine_opens, machine_clicks, sent_at, delivered_at, opened_at, clicked_at, bounced_at, complained_at"
  const sums = names.map((name) => `coalesce(sum(n) filter (where milestone = '${name}'), 0)::int as ${name}`)
  const totals = (mails: string) => `
    select project_id, quarter, ${names.join(", ")}
    from (
      select project_id, date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00+00') as quarter, ${sums.join(", ")}
      from (${mails}) as mails
      cross join lateral (values ${names.map((name) => `('${name}', ${milestones[name as keyof typeof milestones]})`).join(", ")})
        as milestones (milestone, at)
      where at is not null and not test
      group by 1, 2
    ) as sums
    where (${names.join(", ")}) is distinct from (${names.map(() => 0).join(", ")})`

  // Most statements change no milestone. They only pay for reading the changed rows.
  yield* sql.unsafe(`
    create function mail_totals_moved() returns trigger language plpgsql as $$
    begin
      if not exists (
        select from new_mails
        where coalesce(sent_at, delivered_at, opened_at, clicked_at, bounced_at, complained_at) is not null
      ) then return null; end if;
      insert into ${schema}.mail_total_deltas (project_id, quarter, ${names.join(", ")})
      ${totals(`select ${columns}, 1 as n from new_mails union all select ${columns}, -1 from old_mails`)};
      return null;
    end $$`)
  yield* sql`
    create trigger emails_totals after update on emails
      referencing old table as old_mails new table as new_mails for each statement execute function mail_totals_moved()`
  yield* sql.unsafe(`
    insert into mail_totals (project_id, quarter, ${names.join(", ")}) ${totals(`select ${columns}, 1 as n from emails`)}`)

  yield* sql`
    create table event_totals (
      project_id uuid not null,
      quarter timestamptz not null,
      name text not null,
      count integer not null,
      primary key (project_id, quarter, name)
    )`
  // The quarters before this one are counted for all projects. One row.
  yield* sql`
    create table event_totals_mark (counted_until timestamptz not null)`
  yield* sql`insert into event_totals_mark values ('-infinity')`
})

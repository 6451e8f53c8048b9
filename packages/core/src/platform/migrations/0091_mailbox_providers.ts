import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Mailbox providers of recipients, and results by provider.
 *
 * `emails.provider` is set with the result of the first try, `deferred_at` with the first try that was put off. A row of
 * `recipient_domains` is what a look-up found, for all projects.
 *
 * The deltas that transitions leave for the totals have the provider too, so that a transition writes no further row.
 * Adding them up gives the totals, and those by provider: of projects by quarter of an hour and by UTC day, and of
 * campaigns.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`select quote_ident(current_schema()) as schema`
  const schema = String(row?.["schema"])
  yield* sql`alter table emails add column provider text collate "C", add column deferred_at timestamptz`
  yield* sql`
    create table recipient_domains (
      domain text collate "C" primary key,
      provider text not null,
      looked_up_at timestamptz not null
    )`

  const milestones = {
    sent: "sent_at",
    delivered: "delivered_at",
    opened: "opened_at",
    clicked: "clicked_at",
    bounced: "bounced_at",
    complained: "complained_at",
    machine_opened: "case when machine_opens > 0 and machine_opens = opens then opened_at end",
    machine_clicked: "case when machine_clicks > 0 and machine_clicks = clicks then clicked_at end",
    deferred: "deferred_at",
    failed: "case when status = 'FAILED' then failed_at end"
  }
  const names = Object.keys(milestones)
  yield* sql`
    alter table mail_total_deltas add column provider text collate "C", add column deferred integer not null default 0,
      add column failed integer not null default 0`
  const results = ["sent", "delivered", "deferred", "opened", "clicked", "bounced", "complained", "failed"]
  const counters = results.map((name) => `${name} integer not null`).join(", ")
  for (const [table, unit] of [
    ["provider_totals", "quarter"],
    ["provider_days", "day"]
  ] as const) {
    yield* sql.unsafe(`
      create table ${table} (
        project_id uuid not null,
        ${unit} timestamptz not null,
        provider text collate "C" not null,
        ${counters},
        primary key (project_id, ${unit}, provider)
      ) with (fillfactor = 70)`)
  }
  const columns = `project_id, provider, test, status, opens, clicks, machine_opens, machine_clicks, sent_at,
    delivered_at, opened_at, clicked_at, bounced_at, complained_at, deferred_at, failed_at`
  const sums = names.map((name) => `coalesce(sum(n) filter (where milestone = '${name}'), 0)::int as ${name}`)
  const values = Object.entries(milestones).map(([name, at]) => `('${name}', ${at})`)
  yield* sql.unsafe(`
    create or replace function mail_totals_moved() returns trigger language plpgsql as $$
    begin
      if not exists (
        select from new_mails
        where coalesce(sent_at, delivered_at, opened_at, clicked_at, bounced_at, complained_at, deferred_at, failed_at)
              is not null
      ) then return null; end if;
      insert into ${schema}.mail_total_deltas (project_id, quarter, provider, ${names.join(", ")})
      select project_id, quarter, provider, ${names.join(", ")}
      from (
        select project_id, date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00+00') as quarter, provider,
               ${sums.join(", ")}
        from (select ${columns}, 1 as n from new_mails union all select ${columns}, -1 from old_mails) as mails
        cross join lateral (values ${values.join(", ")}) as milestones (milestone, at)
        where at is not null and not test
        group by 1, 2, 3
      ) as sums
      where (${names.join(", ")}) is distinct from (${names.map(() => 0).join(", ")});
      return null;
    end $$`)

  yield* sql`
    alter table campaign_deltas add column provider text collate "C", add column deferred integer not null default 0`
  yield* sql.unsafe(`
    create table campaign_provider_counts (
      project_id uuid not null,
      campaign_id uuid not null,
      provider text collate "C" not null,
      ${counters},
      primary key (project_id, campaign_id, provider)
    ) with (fillfactor = 50)`)
  const held = {
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
    machine_clicked: "machine_clicks > 0 and machine_clicks = clicks",
    deferred: "deferred_at is not null"
  }
  const all = Object.keys(held).join(", ")
  const tallied = Object.entries(held).map(
    ([name, holds]) => `coalesce(sum(n) filter (where ${holds}), 0)::int as ${name}`
  )
  const state = (alias: string) =>
    `project_id campaign_id status opens clicks machine_opens machine_clicks delivered_at bounced_at complained_at
     unsubscribed_at deferred_at`
      .split(/\s+/)
      .map((column) => `${alias}.${column}`)
      .join(", ")
  // An email without any result counts with the provider that it gets, so that a first try leaves one row, not two.
  const isBlank = `was.provider is null and was.status in ('PENDING', 'SENDING') and was.opens = 0 and was.clicks = 0
    and coalesce(was.delivered_at, was.bounced_at, was.complained_at, was.deferred_at) is null`
  yield* sql.unsafe(`
    create or replace function tally_moved() returns trigger language plpgsql as $$
    begin
      if not exists (select from new_mails where recipient_id is not null) then return null; end if;
      insert into ${schema}.campaign_deltas (project_id, campaign_id, provider, ${all})
      select project_id, campaign_id, provider, ${all}
      from (
        select project_id, campaign_id, provider, ${tallied.join(", ")}
        from (
          select ${state("changed")}, changed.provider, 1 as n from new_mails as changed where changed.recipient_id is not null
          union all
          select ${state("was")}, case when ${isBlank} then changed.provider else was.provider end, -1
          from old_mails as was join new_mails as changed on changed.project_id = was.project_id and changed.id = was.id
          where was.recipient_id is not null
        ) as moved
        group by project_id, campaign_id, provider
      ) as sums
      where (${all}) is distinct from (${Object.keys(held)
        .map(() => 0)
        .join(", ")});
      return null;
    end $$`)
})

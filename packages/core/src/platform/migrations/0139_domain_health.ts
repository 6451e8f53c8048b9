import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The health of sender domains, and the totals of their mail.
 *
 * `domain_health` has the checks that ask DNS, and the last notice: whether the domain was ready, which checks failed
 * then, and when each check was last a reason. A row of `domain_refusals` is a kind of reply with which a provider says
 * that the domain does not prove itself.
 *
 * The deltas of the totals have the From domain too, so that a transition writes no further row for it in most batches.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`select quote_ident(current_schema()) as schema`
  const schema = String(row?.["schema"])
  yield* sql`
    create table domain_health (
      project_id uuid not null,
      domain_id uuid not null,
      checked_at timestamptz not null,
      checks jsonb not null,
      ready boolean,
      failing jsonb not null default '[]',
      notified jsonb not null default '{}',
      primary key (project_id, domain_id),
      constraint domain_health_domain foreign key (project_id, domain_id) references domains (project_id, id)
        on delete cascade
    )`
  yield* sql`
    create table domain_refusals (
      project_id uuid not null,
      domain text collate "C" not null,
      provider text not null,
      enhanced_code text not null,
      reply text not null,
      count integer not null,
      last_at timestamptz not null,
      primary key (project_id, domain, provider, enhanced_code)
    )`
  yield* sql`
    create table domain_days (
      project_id uuid not null,
      domain text collate "C" not null,
      day timestamptz not null,
      provider text collate "C" not null,
      sent integer not null,
      bounced integer not null,
      complained integer not null,
      primary key (project_id, domain, day, provider)
    ) with (fillfactor = 70)`
  yield* sql`alter table mail_total_deltas add column from_domain text collate "C"`
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
  const columns = `project_id, provider, from_email, test, status, opens, clicks, machine_opens, machine_clicks, sent_at,
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
      insert into ${schema}.mail_total_deltas (project_id, quarter, provider, from_domain, ${names.join(", ")})
      select project_id, quarter, provider, from_domain, ${names.join(", ")}
      from (
        select project_id, date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00+00') as quarter, provider,
               lower(split_part(from_email, '@', -1)) as from_domain,
               ${sums.join(", ")}
        from (select ${columns}, 1 as n from new_mails union all select ${columns}, -1 from old_mails) as mails
        cross join lateral (values ${values.join(", ")}) as milestones (milestone, at)
        where at is not null and not test
        group by 1, 2, 3, 4
      ) as sums
      where (${names.join(", ")}) is distinct from (${names.map(() => 0).join(", ")});
      return null;
    end $$`)
})

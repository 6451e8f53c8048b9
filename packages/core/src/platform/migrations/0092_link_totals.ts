import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Clicks by link and results of mail, for templates, steps of workflows and campaigns (their owners).
 *
 * `source_links` has the links of templates and campaigns as they are written, by the hash of their address, so that
 * links that were changed are still known. The nil id stands for all addresses that no link became. A hit has the links
 * that it counted for.
 *
 * Hits and transitions append deltas, which a job adds up. Totals stay when emails are deleted.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`select quote_ident(current_schema()) as schema`
  const schema = String(row?.["schema"])
  yield* sql`alter table emails add column workflow_step_id uuid`
  yield* sql`alter table email_hits add column campaign_link uuid, add column template_link uuid`
  yield* sql`
    create table source_links (
      project_id uuid not null,
      source_id uuid not null,
      link uuid not null,
      url text not null,
      text text not null,
      primary key (project_id, source_id, link)
    )`
  yield* sql`create index source_links_link on source_links (project_id, link)`
  const clicks = `clicks integer not null, unique_clicks integer not null, machine_clicks integer not null`
  yield* sql.unsafe(`
    create table link_totals (
      project_id uuid not null, owner_id uuid not null, link uuid not null, ${clicks},
      primary key (project_id, owner_id, link)
    ) with (fillfactor = 50)`)
  yield* sql.unsafe(`
    create table link_deltas (
      project_id uuid not null, owner_id uuid not null, link uuid not null,
      id bigint generated always as identity, ${clicks},
      primary key (project_id, owner_id, link, id)
    )`)

  const counted = {
    sent: "status in ('SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED')",
    delivered: "delivered_at is not null",
    opened: "opens > 0",
    clicked: "clicks > 0",
    bounced: "bounced_at is not null",
    complained: "complained_at is not null",
    failed: "status = 'FAILED'",
    machine_opened: "machine_opens > 0 and machine_opens = opens",
    machine_clicked: "machine_clicks > 0 and machine_clicks = clicks"
  }
  const names = Object.keys(counted).join(", ")
  const zeros = Object.keys(counted)
    .map(() => 0)
    .join(", ")
  const counters = Object.keys(counted)
    .map((name) => `${name} integer not null`)
    .join(", ")
  yield* sql.unsafe(`
    create table result_totals (
      project_id uuid not null, owner_id uuid not null, ${counters},
      primary key (project_id, owner_id)
    ) with (fillfactor = 50)`)
  yield* sql.unsafe(`
    create table result_deltas (
      project_id uuid not null, owner_id uuid not null, id bigint generated always as identity, ${counters},
      primary key (project_id, owner_id, id)
    )`)
  // Emails from before are not counted. One row.
  yield* sql`create table results_since (at timestamptz not null)`
  yield* sql`
    insert into results_since select case when exists (select from emails) then now() else '-infinity' end`

  const sums = Object.entries(counted).map(
    ([name, holds]) => `coalesce(sum(n) filter (where ${holds}), 0)::int as ${name}`
  )
  const add = (mails: string) => `
    insert into ${schema}.result_deltas (project_id, owner_id, ${names})
    select project_id, owner_id, ${names}
    from (
      select project_id, owner_id, ${sums.join(", ")}
      from (${mails}) as mails
      cross join lateral (values (template_id), (workflow_step_id)) as owners (owner_id)
      where owner_id is not null and not test
      group by project_id, owner_id
    ) as sums
    where (${names}) is distinct from (${zeros})`
  const state = `project_id, template_id, workflow_step_id, test, status, delivered_at, opens, clicks, bounced_at,
    complained_at, machine_opens, machine_clicks`
  const define = (name: string, isDue: string, mails: string) =>
    sql.unsafe(`
      create function ${name}() returns trigger language plpgsql as $$
      begin
        if exists (select from new_mails where (template_id is not null or workflow_step_id is not null) and ${isDue})
        then ${add(mails)};
        end if;
        return null;
      end $$`)
  yield* define("results_made", "status = 'FAILED'", `select ${state}, 1 as n from new_mails`)
  yield* define(
    "results_moved",
    `(status = 'FAILED' or coalesce(sent_at, delivered_at, opened_at, clicked_at, bounced_at, complained_at, failed_at)
      is not null)`,
    `select ${state}, 1 as n from new_mails union all select ${state}, -1 from old_mails`
  )
  yield* sql`
    create trigger emails_results_made after insert on emails
      referencing new table as new_mails for each statement execute function results_made()`
  yield* sql`
    create trigger emails_results_moved after update on emails
      referencing old table as old_mails new table as new_mails for each statement execute function results_moved()`
})

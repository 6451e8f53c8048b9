import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Experiments of campaigns. `experiment` is as its author wrote it. `experiment_state` and `decide_at` are set when sending
 * starts, `experiment_look_at` is when a worker looks at it next, and `experiment_result` is what was decided.
 *
 * `campaign_audiences.waits` is set for the rest of an audience, which has no mail before the decision. `variant` is then
 * the winner; without it, the variant of a contact follows from its id. A rest with `ended` gets no mail: its mail is
 * cancelled with that error. `released_at` is the time of the decision.
 *
 * Transitions of mail count for its variant.
 *
 * `mailing_variants` has the texts of the variants B to H, complete, fixed when sending starts as those of `mailings` are.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`drop index campaigns_partials`
  yield* sql`
    alter table campaigns
      add column experiment jsonb,
      add column experiment_state text,
      add column experiment_look_at timestamptz,
      add column experiment_result jsonb,
      add column decide_at timestamptz,
      drop column partials`
  yield* sql`
    alter table campaigns add column partials text[] not null
      generated always as (
        array_remove(partials_in(body || ' ' || coalesce(text, '') || ' ' || translations::text || ' ' || coalesce(experiment::text, ''))
                     || layout, null)) stored`
  yield* sql`
    create index campaigns_partials on campaigns (project_id)
    where partials <> '{}' and status in ('DRAFT', 'SCHEDULED')`
  yield* sql`
    create index campaigns_experiments on campaigns (experiment_look_at) where experiment_look_at is not null`
  yield* sql`
    alter table campaign_audiences
      add column size integer not null default 0,
      add column waits boolean not null default false,
      add column variant text collate "C",
      add column ended text,
      add column released_at timestamptz`
  yield* sql`update campaign_audiences set size = cardinality(contacts)`
  yield* sql`
    create index campaign_audiences_due on campaign_audiences (part, project_id, campaign_id) where not waits`
  yield* sql`alter table mailings add column variants smallint`
  yield* sql`
    create table mailing_variants (
      project_id uuid not null,
      campaign_id uuid not null,
      variant text collate "C" not null,
      subject text not null,
      preheader text,
      body text not null,
      text text,
      translations jsonb not null default '{}',
      from_email text collate "C" not null,
      from_name text,
      reply_to text,
      primary key (project_id, campaign_id, variant)
    )`
  yield* sql`alter table emails add column variant text collate "C"`

  const [row] = yield* sql`select quote_ident(current_schema()) as schema`
  const schema = String(row?.["schema"])
  const held = {
    pending: "status in ('PENDING', 'SENDING')",
    sent: "status in ('SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED')",
    delivered: "delivered_at is not null",
    deferred: "deferred_at is not null",
    opened: "opens > 0",
    clicked: "clicks > 0",
    bounced: "bounced_at is not null",
    complained: "complained_at is not null",
    failed: "status = 'FAILED'",
    unsubscribed: "unsubscribed_at is not null",
    machine_opened: "machine_opens > 0 and machine_opens = opens",
    machine_clicked: "machine_clicks > 0 and machine_clicks = clicks",
    suppressed: "status = 'SUPPRESSED'",
    cancelled: "status = 'CANCELLED'",
    ambiguous: "status = 'AMBIGUOUS'"
  }
  const list = Object.keys(held).join(", ")
  const tallied = Object.entries(held).map(
    ([name, holds]) => `coalesce(sum(n) filter (where ${holds}), 0)::int as ${name}`
  )
  const state = (alias: string) =>
    `project_id campaign_id variant status opens clicks machine_opens machine_clicks delivered_at bounced_at complained_at
     unsubscribed_at deferred_at`
      .split(/\s+/)
      .map((column) => `${alias}.${column}`)
      .join(", ")
  // An email without any result counts with the provider that it gets, so that a first try leaves one row, not two.
  const isBlank = `was.provider is null and was.status in ('PENDING', 'SENDING') and was.opens = 0 and was.clicks = 0
    and coalesce(was.delivered_at, was.bounced_at, was.complained_at, was.deferred_at) is null`
  // All changes of a statement happen at one instant, so their hour is that of any of them.
  yield* sql.unsafe(`
    create or replace function tally_moved() returns trigger language plpgsql as $$
    begin
      if not exists (select from new_mails where recipient_id is not null) then return null; end if;
      insert into ${schema}.campaign_deltas (project_id, campaign_id, variant, provider, hour, ${list})
      select project_id, campaign_id, coalesce(variant, ''), provider,
             (select date_trunc('hour', max(updated_at), 'UTC') from new_mails), ${list}
      from (
        select project_id, campaign_id, variant, provider, ${tallied.join(", ")}
        from (
          select ${state("changed")}, changed.provider, 1 as n from new_mails as changed where changed.recipient_id is not null
          union all
          select ${state("was")}, case when ${isBlank} then changed.provider else was.provider end, -1
          from old_mails as was join new_mails as changed on changed.project_id = was.project_id and changed.id = was.id
          where was.recipient_id is not null
        ) as moved
        group by project_id, campaign_id, variant, provider
      ) as sums
      where (${list}) is distinct from (${Object.keys(held)
        .map(() => 0)
        .join(", ")});
      return null;
    end $$`)
})

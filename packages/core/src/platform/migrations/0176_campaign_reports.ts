import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Results of campaigns by variant and mailbox provider, and by variant and hour, and human opens and clicks by provider.
 *
 * The deltas of a campaign gain the variant of the mail ('' without variants) and the hour in which the change happened,
 * so that a transition writes no further row. `campaign_results` takes the place of `campaign_provider_counts`; its
 * provider is '' for mail without one.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`select quote_ident(current_schema()) as schema`
  const schema = String(row?.["schema"])

  const held = {
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
    machine_clicked: "machine_clicks > 0 and machine_clicks = clicks"
  }
  const names = Object.keys(held)
  const counters = [...names, "converted"].map((name) => `${name} integer not null default 0`).join(", ")
  const isCampaign = "recipient_id is not null and campaign_id is not null"

  yield* sql`
    alter table campaign_deltas add column variant text collate "C" not null default '', add column hour timestamptz,
      add column converted integer not null default 0`
  for (const name of ["pending", ...names, "suppressed", "cancelled", "ambiguous"]) {
    yield* sql.unsafe(`alter table campaign_deltas alter column ${name} set default 0`)
  }
  yield* sql`alter table campaign_provider_counts rename to campaign_results`
  yield* sql`
    alter table campaign_results drop constraint campaign_provider_counts_pkey,
      add column variant text collate "C" not null default '', add column unsubscribed integer not null default 0,
      add column machine_opened integer not null default 0, add column machine_clicked integer not null default 0,
      add column converted integer not null default 0,
      add primary key (project_id, campaign_id, variant, provider)`
  yield* sql.unsafe(`
    create table campaign_hours (
      project_id uuid not null,
      campaign_id uuid not null,
      variant text collate "C" not null,
      hour timestamptz not null,
      ${counters},
      primary key (project_id, campaign_id, variant, hour)
    ) with (fillfactor = 50)`)

  // What was not kept by provider until now comes from the mails; what belongs to no provider is the rest of the counts.
  yield* sql.unsafe(`
    update campaign_results as kept set unsubscribed = counted.unsubscribed,
      machine_opened = counted.machine_opened, machine_clicked = counted.machine_clicked
    from (
      select project_id, campaign_id, provider,
             ${["unsubscribed", "machine_opened", "machine_clicked"]
               .map((name) => `count(*) filter (where ${held[name as keyof typeof held]}) as ${name}`)
               .join(", ")}
      from emails where ${isCampaign} and provider is not null group by 1, 2, 3
    ) as counted
    where kept.project_id = counted.project_id and kept.campaign_id = counted.campaign_id
      and kept.provider = counted.provider`)
  const known = names.filter((name) => name !== "deferred")
  yield* sql.unsafe(`
    insert into campaign_results (project_id, campaign_id, provider, deferred, ${known.join(", ")})
    select counts.project_id, counts.campaign_id, '', 0,
           ${known.map((name) => `greatest(counts.${name} - coalesce(kept.${name}, 0), 0)`).join(", ")}
    from campaign_counts as counts
    left join (
      select project_id, campaign_id, ${known.map((name) => `sum(${name})::int as ${name}`).join(", ")}
      from campaign_results group by 1, 2
    ) as kept using (project_id, campaign_id)`)
  const moments = {
    sent: "coalesce(sent_at, updated_at)",
    delivered: "delivered_at",
    deferred: "deferred_at",
    opened: "coalesce(opened_at, updated_at)",
    clicked: "coalesce(clicked_at, updated_at)",
    bounced: "bounced_at",
    complained: "complained_at",
    failed: "coalesce(failed_at, updated_at)",
    unsubscribed: "unsubscribed_at",
    machine_opened: "coalesce(opened_at, updated_at)",
    machine_clicked: "coalesce(clicked_at, updated_at)"
  } satisfies { readonly [Name in keyof typeof held]: string }
  yield* sql.unsafe(`
    insert into campaign_hours (project_id, campaign_id, variant, hour, ${names.join(", ")})
    select project_id, campaign_id, '', date_trunc('hour', at, 'UTC'),
           ${names.map((name) => `count(*) filter (where result = '${name}')`).join(", ")}
    from emails
    cross join lateral (
      values ${Object.entries(held)
        .map(([name, holds]) => `('${name}', case when ${holds} then ${moments[name as keyof typeof held]} end)`)
        .join(", ")}
    ) as results (result, at)
    where ${isCampaign} and at is not null group by 1, 2, 4`)

  const all = {
    pending: "status in ('PENDING', 'SENDING')",
    ...held,
    suppressed: "status = 'SUPPRESSED'",
    cancelled: "status = 'CANCELLED'",
    ambiguous: "status = 'AMBIGUOUS'"
  }
  const list = Object.keys(all).join(", ")
  const tallied = Object.entries(all).map(
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
  // All changes of a statement happen at one instant, so their hour is that of any of them.
  yield* sql.unsafe(`
    create or replace function tally_moved() returns trigger language plpgsql as $$
    begin
      if not exists (select from new_mails where recipient_id is not null) then return null; end if;
      insert into ${schema}.campaign_deltas (project_id, campaign_id, provider, hour, ${list})
      select project_id, campaign_id, provider,
             (select date_trunc('hour', max(updated_at), 'UTC') from new_mails), ${list}
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
      where (${list}) is distinct from (${Object.keys(all)
        .map(() => 0)
        .join(", ")});
      return null;
    end $$`)

  for (const [table, unit, at] of [
    ["provider_totals", "quarter", "date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00+00')"],
    ["provider_days", "day", "date_trunc('day', at, 'UTC')"]
  ] as const) {
    yield* sql.unsafe(`
      alter table ${table} add column machine_opened integer not null default 0,
        add column machine_clicked integer not null default 0`)
    yield* sql.unsafe(`
      update ${table} as kept set machine_opened = counted.opened, machine_clicked = counted.clicked
      from (
        select project_id, provider, ${at} as unit, count(*) filter (where result = 'opened') as opened,
               count(*) filter (where result = 'clicked') as clicked
        from emails
        cross join lateral (
          values ('opened', case when ${held.machine_opened} then opened_at end),
                 ('clicked', case when ${held.machine_clicked} then clicked_at end)
        ) as results (result, at)
        where at is not null and provider is not null and not test group by 1, 2, 3
      ) as counted
      where kept.project_id = counted.project_id and kept.provider = counted.provider and kept.${unit} = counted.unit`)
  }
})

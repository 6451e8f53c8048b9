import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The deltas of a campaign have the variant of the mail, so that its results are kept by variant too. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`select quote_ident(current_schema()) as schema`
  const schema = String(row?.["schema"])
  const counted = {
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
  const list = Object.keys(counted).join(", ")
  const tallied = Object.entries(counted).map(
    ([name, holds]) => `coalesce(sum(n) filter (where ${holds}), 0)::int as ${name}`
  )
  const state = (alias: string) =>
    `project_id campaign_id status opens clicks machine_opens machine_clicks delivered_at bounced_at complained_at
     unsubscribed_at deferred_at`
      .split(/\s+/)
      .map((column) => `${alias}.${column}`)
      .concat(`coalesce(${alias}.variant, '') as variant`)
      .join(", ")
  // An email without any result counts with the provider that it gets, so that a first try leaves one row, not two.
  const isBlank = `was.provider is null and was.status in ('PENDING', 'SENDING') and was.opens = 0 and was.clicks = 0
    and coalesce(was.delivered_at, was.bounced_at, was.complained_at, was.deferred_at) is null`
  // All changes of a statement happen at one instant, so their hour is that of any of them.
  yield* sql.unsafe(`
    create or replace function tally_moved() returns trigger language plpgsql as $$
    begin
      if not exists (select from new_mails where recipient_id is not null) then return null; end if;
      insert into ${schema}.campaign_deltas (project_id, campaign_id, provider, variant, hour, ${list})
      select project_id, campaign_id, provider, variant,
             (select date_trunc('hour', max(updated_at), 'UTC') from new_mails), ${list}
      from (
        select project_id, campaign_id, provider, variant, ${tallied.join(", ")}
        from (
          select ${state("changed")}, changed.provider, 1 as n from new_mails as changed where changed.recipient_id is not null
          union all
          select ${state("was")}, case when ${isBlank} then changed.provider else was.provider end, -1
          from old_mails as was join new_mails as changed on changed.project_id = was.project_id and changed.id = was.id
          where was.recipient_id is not null
        ) as moved
        group by project_id, campaign_id, provider, variant
      ) as sums
      where (${list}) is distinct from (${Object.keys(counted)
        .map(() => 0)
        .join(", ")});
      return null;
    end $$`)
})

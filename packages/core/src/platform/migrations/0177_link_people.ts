import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Mails in which a person clicked a link, for each owner and link. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table link_totals add column human_clicks integer not null default 0`
  yield* sql`alter table link_deltas add column human_clicks integer not null default 0`
  yield* sql`
    update link_totals as kept set human_clicks = counted.mails
    from (
      select hit.project_id, owner_id, owners.link, count(distinct hit.email_id)::int as mails
      from email_hits as hit
      join emails on emails.project_id = hit.project_id and emails.id = hit.email_id
      cross join lateral (
        values (emails.campaign_id, campaign_link), (emails.template_id, template_link),
               (emails.workflow_step_id, template_link)
      ) as owners (owner_id, link)
      where hit.kind = 'click' and hit.verdict = 'human' and owner_id is not null and owners.link is not null
        and not emails.test
      group by 1, 2, 3
    ) as counted
    where kept.project_id = counted.project_id and kept.owner_id = counted.owner_id and kept.link = counted.link`
})

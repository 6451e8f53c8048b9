/** The events about campaigns, which webhooks deliver. */
import type { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { recordServiceEvents } from "../../events/ServiceEvents.ts"
import { tally } from "./CampaignRow.ts"
import type { ApprovalEvent } from "./CampaignStore.ts"

/** Records an event, with current counters, for each campaign that `ended` selects by `project_id` and `id`. */
export const recordCampaignEnds = (
  sql: SqlClient.SqlClient,
  name: "campaign.sent" | "campaign.cancelled",
  ended: Statement.Fragment,
  now: DateTime.Utc
): Statement.Statement<unknown> =>
  recordServiceEvents(
    sql,
    sql`
      select campaigns.project_id, null::uuid as contact_id, ${name}::text as name, jsonb_build_object(
        'campaignId', campaigns.id, 'name', campaigns.name,
        'totalRecipients', case when campaigns.expanded then coalesce(campaigns.audience, 0) else 0 end,
        'sentCount', tally.sent, 'failedCount', tally.failed) as data
      from (${ended}) as ended join campaigns using (project_id, id) ${sql.literal(tally)}`,
    now
  )

/** Records an event about the approval of the campaign that `where` selects. */
export const recordApproval = (
  sql: SqlClient.SqlClient,
  name: ApprovalEvent,
  where: Statement.Fragment,
  now: DateTime.Utc
): Statement.Statement<unknown> =>
  recordServiceEvents(
    sql,
    sql`
      select project_id, null::uuid as contact_id, ${name}::text as name, jsonb_build_object(
        'campaignId', id, 'name', campaigns.name, 'note', approval -> 'note',
        'userId', approval #> ${name === "campaign.approval_requested" ? "{requestedBy,userId}" : "{decidedBy,userId}"}::text[]
        ) as data
      from campaigns where ${where}`,
    now
  )

/** Which contacts were recipients of another campaign, from its mails: they stay when the campaign is deleted. */
import type { RecipientsOf } from "@posthorn/contract/automation/campaigns/Campaign"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { SqlClient, Statement } from "effect/sql"

/** An open by a machine may hide a reader, so only mail without any open counts as not opened. All else is by people. */
const reactions: { readonly [Who in RecipientsOf["who"]]: string } = {
  ALL: "true",
  NOT_OPENED: "opens = 0",
  NOT_CLICKED: "clicks = machine_clicks",
  OPENED: "opens > machine_opens",
  CLICKED: "clicks > machine_clicks",
  NOT_CONVERTED: `not exists (
    select from conversions as reached
    where reached.project_id = emails.project_id and reached.owner = 'CAMPAIGN' and reached.owner_id = emails.campaign_id
      and reached.contact_id = emails.contact_id)`
}

/** The mail of a merged contact is the mail of the contact that stays. */
export const wasRecipient = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  { campaignId, who }: RecipientsOf
): Statement.Fragment => sql`
  contacts.id in (
    select contact_id from emails
    where project_id = ${project} and campaign_id = ${campaignId}::uuid and recipient_id is not null and not test
      and status in ('SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED')
      and ${sql.literal(reactions[who])})`

/** Begins an experiment, in the transaction that fixes the audience: stores the texts of its variants. */
import type { Campaign } from "@posthorn/contract/automation/campaigns/Campaign"
import type { CampaignExperiment } from "@posthorn/contract/automation/campaigns/CampaignExperiment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Record } from "effect"
import type { SqlClient } from "effect/sql"
import { contentOf, otherVariants } from "./Variants.ts"

/** `projectName` is the name of senders without one. */
export const beginExperiment = Effect.fn("Experiment.begin")(function* (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  campaign: Campaign,
  experiment: CampaignExperiment,
  projectName: string,
  now: DateTime.Utc
) {
  const rows = otherVariants(experiment).map((variant) => {
    const { subject, preheader, body, text, translations, from, fromName, replyTo } = contentOf(campaign, variant)
    return {
      variant: variant.key,
      subject,
      preheader,
      body,
      text,
      translations: Record.map(translations, ({ subject, body, text }) => ({ subject, body, text })),
      from_email: from,
      from_name: fromName ?? projectName,
      reply_to: replyTo
    }
  })
  yield* sql`
    insert into mailing_variants (project_id, campaign_id, variant, subject, preheader, body, text, translations,
                                  from_email, from_name, reply_to)
    select ${project}::uuid, ${campaign.id}::uuid, variant, subject, preheader, body, text, translations, from_email,
           from_name, reply_to
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as given(variant text, subject text, preheader text,
      body text, text text, translations jsonb, from_email text, from_name text, reply_to text)`
  const decideAt = DateTime.toDate(DateTime.add(now, { hours: experiment.waitHours }))
  yield* sql`
    update campaigns set experiment_state = 'TESTING', decide_at = ${decideAt}, experiment_look_at = ${decideAt}
    where project_id = ${project} and id = ${campaign.id}`
})

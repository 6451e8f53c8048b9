/** Columns of a campaign. Its counters are the sums of `campaign_counts` and of the deltas not yet added to it. */

import { FilterTree } from "@posthorn/contract/audience/filters/FilterTree"
import {
  AudienceType,
  CampaignApproval,
  CampaignId,
  CampaignStatus,
  RecipientsOf,
  StatusReason
} from "@posthorn/contract/automation/campaigns/Campaign"
import { CampaignDelivery } from "@posthorn/contract/automation/campaigns/CampaignDelivery"
import { CampaignExperiment, CampaignExperimentState } from "@posthorn/contract/automation/campaigns/CampaignExperiment"
import { CampaignGoal } from "@posthorn/contract/automation/campaigns/CampaignGoal"
import { CampaignHoldout } from "@posthorn/contract/automation/campaigns/CampaignHoldout"
import { CampaignRecurrence } from "@posthorn/contract/automation/campaigns/CampaignRecurrence"
import {
  EmailType,
  TemplateFormat,
  TranslatedSubjects,
  templateContent
} from "@posthorn/contract/content/templates/Template"
import { MailPolicy, mailPolicy } from "@posthorn/contract/mail/sending/MailPolicy"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Schema } from "effect"
import { subjectsOf } from "../../content/templates/TranslationSql.ts"

const textOrNull = Schema.NullOr(Schema.String)
const timestampOrNull = Schema.NullOr(Schema.DateTimeUtcFromDate)

const Counts = {
  sentCount: Schema.Int,
  deliveredCount: Schema.Int,
  openedCount: Schema.Int,
  clickedCount: Schema.Int,
  bouncedCount: Schema.Int,
  complainedCount: Schema.Int,
  unsubscribedCount: Schema.Int,
  failedCount: Schema.Int,
  suppressedCount: Schema.Int,
  cancelledCount: Schema.Int
}

const Sizes = { audienceSize: Schema.Int, holdoutSize: Schema.Int }

export const CampaignRow = Schema.Struct({
  id: CampaignId,
  projectId: ProjectId,
  name: Schema.String,
  description: textOrNull,
  subject: Schema.String,
  preheader: textOrNull,
  format: TemplateFormat,
  body: Schema.String,
  source: textOrNull,
  text: textOrNull,
  language: textOrNull,
  translations: templateContent.translations,
  from: Schema.String,
  fromName: textOrNull,
  replyTo: textOrNull,
  type: EmailType,
  layout: textOrNull,
  status: CampaignStatus,
  paused: Schema.Boolean,
  statusReason: Schema.NullOr(StatusReason),
  audienceType: AudienceType,
  segmentId: textOrNull,
  audienceCondition: Schema.NullOr(FilterTree),
  recipientsOf: Schema.NullOr(RecipientsOf),
  templateId: textOrNull,
  templateVersion: Schema.NullOr(Schema.Int),
  topicId: textOrNull,
  archive: Schema.Boolean,
  archiveUrl: textOrNull,
  policy: MailPolicy,
  delivery: Schema.NullOr(CampaignDelivery),
  priority: Schema.Int,
  experiment: Schema.NullOr(CampaignExperiment),
  experimentState: Schema.NullOr(CampaignExperimentState),
  goal: Schema.NullOr(CampaignGoal),
  holdout: Schema.NullOr(CampaignHoldout),
  approval: CampaignApproval,
  recurrence: Schema.NullOr(CampaignRecurrence),
  parentId: Schema.NullOr(CampaignId),
  scheduledFor: timestampOrNull,
  startsAt: timestampOrNull,
  estimatedRecipients: Schema.Int,
  ...Sizes,
  totalRecipients: Schema.Int,
  ...Counts,
  sentAt: timestampOrNull,
  completedAt: timestampOrNull,
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate
})

const { source: _source, text: _text, experiment: _experiment, ...listed } = CampaignRow.fields
export const CampaignSummaryRow = Schema.Struct({ ...listed, translations: TranslatedSubjects })

export const CountersRow = Schema.Struct({
  ...Sizes,
  totalRecipients: Schema.Int,
  pendingCount: Schema.Int,
  ...Counts,
  ambiguousCount: Schema.Int,
  machineOpenedCount: Schema.Int,
  machineClickedCount: Schema.Int
})

/** Columns of both counter tables, and their names in the API. */
const counters = {
  pending: "pendingCount",
  sent: "sentCount",
  delivered: "deliveredCount",
  opened: "openedCount",
  clicked: "clickedCount",
  bounced: "bouncedCount",
  complained: "complainedCount",
  unsubscribed: "unsubscribedCount",
  failed: "failedCount",
  suppressed: "suppressedCount",
  cancelled: "cancelledCount",
  ambiguous: "ambiguousCount",
  machine_opened: "machineOpenedCount",
  machine_clicked: "machineClickedCount"
}

export const counterColumns = Object.keys(counters)

/** How hours are written as the keys of a report: in UTC, as `to_char` takes it. */
export const hourFormat = `YYYY-MM-DD"T"HH24:MI:SS.MS"Z"`

/** Columns of the results by mailbox provider. */
export const providerColumns = ["sent", "delivered", "deferred", "opened", "clicked", "bounced", "complained", "failed"]

/** Columns of the results by variant, mailbox provider and hour. */
export const resultColumns = [...providerColumns, "unsubscribed", "machine_opened", "machine_clicked", "converted"]

/** The results of one mailbox provider, as sums of its rows. */
export const providerSums = [
  ...providerColumns.map((name) => `sum(${name})::int as ${name}`),
  `sum(opened - machine_opened)::int as "humanOpened"`,
  `sum(clicked - machine_clicked)::int as "humanClicked"`
].join(", ")

export const ProviderRow = Schema.Struct({
  provider: Schema.String,
  sent: Schema.Int,
  delivered: Schema.Int,
  deferred: Schema.Int,
  opened: Schema.Int,
  clicked: Schema.Int,
  bounced: Schema.Int,
  complained: Schema.Int,
  failed: Schema.Int,
  humanOpened: Schema.Int,
  humanClicked: Schema.Int
})

const total = `case when campaigns.expanded then coalesce(campaigns.audience, 0) else 0 end as "totalRecipients"`

export const sizes = `coalesce(audience, 0) as "audienceSize", coalesce(holdout_size, 0) as "holdoutSize"`

export const countersOf = [
  total,
  ...Object.entries(counters).map(([column, name]) => `tally.${column} as "${name}"`)
].join(", ")

/** Contacts whose mail is not made yet while the campaign counts as complete: the rest of an experiment. */
const rest = `
  case when campaigns.experiment_state is not null and campaigns.expanded then (
    select coalesce(sum(size), 0)::int from campaign_audiences as part
    where part.project_id = campaigns.project_id and part.campaign_id = campaigns.id) else 0 end`

const sumOf = (column: string) =>
  `coalesce(sum(${column}), 0)::int${column === "pending" ? ` + ${rest}` : ""} as ${column}`

/** A join of `campaigns` that adds exactly one row of counters. */
export const tally = `
  cross join lateral (
    select ${counterColumns.map(sumOf).join(", ")}
    from (
      select ${counterColumns.join(", ")} from campaign_counts
      where campaign_counts.project_id = campaigns.project_id and campaign_counts.campaign_id = campaigns.id
      union all
      select ${counterColumns.join(", ")} from campaign_deltas
      where campaign_deltas.project_id = campaigns.project_id and campaign_deltas.campaign_id = campaigns.id
    ) as parts
  ) as tally`

const noApproval = JSON.stringify({ state: "NONE", requestedBy: null, decidedBy: null, note: null, at: null })
const approval = `coalesce(approval - 'content', '${noApproval}'::jsonb) as approval`

const policy = `'${JSON.stringify(mailPolicy(null))}'::jsonb || coalesce(policy, '{}') as policy`

const commonColumns = `
  campaigns.id, campaigns.project_id as "projectId", name, description, subject, preheader, format, body, language, from_email as "from",
  from_name as "fromName", reply_to as "replyTo", type, layout, status, paused, status_reason as "statusReason",
  audience_type as "audienceType", segment_id as "segmentId", audience_condition as "audienceCondition", recipients_of as "recipientsOf",
  template_id as "templateId", template_version as "templateVersion", topic_id as "topicId", archive, ${policy}, goal, holdout,
  experiment_state as "experimentState", ${approval}, ${sizes}, scheduled_for as "scheduledFor",
  delivery, priority, recurrence, parent_id as "parentId", coalesce(starts_at, scheduled_for) as "startsAt",
  estimated_recipients as "estimatedRecipients", ${countersOf}, sent_at as "sentAt", completed_at as "completedAt",
  created_at as "createdAt", updated_at as "updatedAt"`

export const campaignColumns = `${commonColumns}, source, text, translations, experiment`

export const campaignSummaryColumns = `${commonColumns}, ${subjectsOf("campaigns")} as translations`

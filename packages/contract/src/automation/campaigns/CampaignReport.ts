/** The results of a campaign by variant, by hour or by mailbox provider. */
import { Schema } from "effect"
import { described } from "../../platform/Primitives.ts"
import { RevenueSum } from "../workflows/WorkflowReport.ts"
import { VariantKey } from "./CampaignExperiment.ts"

const By = Schema.Literals(["variant", "hour", "provider"])
export type ReportBy = typeof By.Type

export const CampaignReportQuery = Schema.Struct({
  by: Schema.optionalKey(By).pipe(described("What a row stands for.", "variant")),
  variant: Schema.optionalKey(VariantKey).pipe(described("Only mails of this variant."))
})
export type CampaignReportQuery = typeof CampaignReportQuery.Type

export const CampaignLinksQuery = Schema.Struct({
  variant: Schema.optionalKey(VariantKey).pipe(described("Only the links and mails of this variant."))
})
export type CampaignLinksQuery = typeof CampaignLinksQuery.Type

const CampaignReportRow = Schema.Struct({
  key: Schema.String.pipe(
    described("The variant (`A` without an experiment), the start of the hour in UTC, or the mailbox provider.")
  ),
  sent: Schema.Int,
  delivered: Schema.Int,
  humanOpened: Schema.Int.pipe(described("Mails that a person opened.")),
  humanClicked: Schema.Int.pipe(described("Mails with a link that a person followed.")),
  bounced: Schema.Int,
  complained: Schema.Int,
  unsubscribed: Schema.Int,
  deferred: Schema.Int.pipe(described("Mails with at least one attempt that the server deferred.")),
  converted: Schema.Int.pipe(described("Recipients who reached the goal.")),
  conversionEvents: Schema.optionalKey(Schema.Int).pipe(
    described("By variant: events that count for the goal, of which a recipient can have several.")
  ),
  revenue: Schema.Array(RevenueSum).pipe(described("Of the events that count for the goal, by currency."))
}).annotate({
  identifier: "CampaignReportRow",
  description:
    "Each count includes a mail once. By hour, a result counts when it happened: a mail that bots have opened counts as opened when a person opens it."
})

export const CampaignReport = Schema.Struct({
  by: By,
  rows: Schema.Array(CampaignReportRow).pipe(
    described(
      "By variant in their order; by hour the earliest first, for 30 days from the start; by provider the most mail first. Without any result there is no row."
    )
  )
}).annotate({ identifier: "CampaignReport", description: "Results of the mail of a campaign." })
export type CampaignReport = typeof CampaignReport.Type

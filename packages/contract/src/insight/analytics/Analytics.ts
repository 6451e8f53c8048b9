/** Statistics of mail, campaigns and events over time. */
import { Schema } from "effect"
import { WindowQuery } from "../../accounts/projects/WindowQuery.ts"
import { CampaignId, type CampaignStatus } from "../../automation/campaigns/Campaign.ts"
import { ProviderFigures } from "../../mail/emails/Provider.ts"
import { AtLeastOne, described } from "../../platform/Primitives.ts"
import { RateOfSent } from "../activity/Activity.ts"

const { startDate, endDate } = WindowQuery

export const TimeseriesQuery = Schema.Struct({
  ...WindowQuery,
  includeMachine: Schema.optionalKey(Schema.Boolean).pipe(
    described("`false` leaves out mails that no person opened or clicked.")
  )
})
export type TimeseriesQuery = typeof TimeseriesQuery.Type

export const Timeseries = Schema.Array(
  Schema.Struct({
    date: Schema.String.pipe(described("A day in the time zone, as `2026-03-01`.")),
    emails: Schema.Int.pipe(described("Sent on that day.")),
    delivered: Schema.Int,
    opens: Schema.Int.pipe(described("Opened for the first time on that day.")),
    clicks: Schema.Int.pipe(described("Clicked for the first time on that day.")),
    bounces: Schema.Int,
    complaints: Schema.Int
  }).annotate({ identifier: "TimeseriesDay", description: "Mail counts of one day." })
).annotate({ identifier: "Timeseries", description: "Every day of the window, earliest first." })
export type Timeseries = typeof Timeseries.Type

export const ProvidersQuery = Schema.Struct(WindowQuery)
export type ProvidersQuery = typeof ProvidersQuery.Type

export const ProviderResults = Schema.Array(ProviderFigures).annotate({
  identifier: "ProviderResults",
  description: "Mailbox providers, the one with the most mail first."
})
export type ProviderResults = typeof ProviderResults.Type

export const CampaignMetric = Schema.Literals([
  "opened",
  "clicked",
  "delivered",
  "sent",
  "bounced",
  "openRate",
  "clickRate"
])
export type CampaignMetric = typeof CampaignMetric.Type

export const TopCampaignsQuery = Schema.Struct({
  metric: Schema.optionalKey(CampaignMetric).pipe(described("The metric to order by, highest first.", "opened")),
  limit: Schema.optionalKey(AtLeastOne).pipe(described("At most 50.")),
  startDate,
  endDate
})
export type TopCampaignsQuery = typeof TopCampaignsQuery.Type

export const CampaignFigures = Schema.Struct({
  id: CampaignId,
  name: Schema.String,
  subject: Schema.String,
  sentCount: Schema.Int,
  deliveredCount: Schema.Int,
  openedCount: Schema.Int,
  clickedCount: Schema.Int,
  bouncedCount: Schema.Int,
  openRate: RateOfSent,
  clickRate: RateOfSent
}).annotate({ identifier: "CampaignFigures", description: "Counts and rates of a campaign." })
export type CampaignFigures = typeof CampaignFigures.Type

export const TopCampaigns = Schema.Array(CampaignFigures).annotate({
  identifier: "TopCampaigns",
  description: "Campaigns, the highest value of the metric first."
})
export type TopCampaigns = typeof TopCampaigns.Type

export const CampaignOverviewQuery = Schema.Struct({
  startDate,
  endDate,
  limit: Schema.optionalKey(AtLeastOne).pipe(described("At most 100."))
})
export type CampaignOverviewQuery = typeof CampaignOverviewQuery.Type

export const CampaignOverview = Schema.Struct({
  total: Schema.Int,
  active: Schema.Int.pipe(described("Drafts, scheduled campaigns and campaigns that are being sent.")),
  completed: Schema.Int.pipe(described("Campaigns that are sent.")),
  averageOpenRate: Schema.Finite.pipe(described("Mean of the rates of campaigns that sent mail.")),
  averageClickRate: Schema.Finite.pipe(described("Mean of the rates of campaigns that sent mail.")),
  byStatus: Schema.Struct({
    DRAFT: Schema.Int,
    SCHEDULED: Schema.Int,
    SENDING: Schema.Int,
    SENT: Schema.Int,
    CANCELLED: Schema.Int
  } satisfies { readonly [Status in CampaignStatus]: Schema.Top }),
  campaigns: Schema.Array(CampaignFigures).pipe(described("Campaigns that are sent or being sent, newest first."))
}).annotate({ identifier: "CampaignOverview", description: "Counts and rates of the campaigns of a project." })
export type CampaignOverview = typeof CampaignOverview.Type

export const TopEventsQuery = Schema.Struct({
  limit: Schema.optionalKey(AtLeastOne).pipe(described("At most 20.")),
  startDate,
  endDate
})
export type TopEventsQuery = typeof TopEventsQuery.Type

export const TopEvents = Schema.Array(
  Schema.Struct({
    name: Schema.String,
    count: Schema.Int,
    trend: Schema.Finite.pipe(
      described("Change in percent from the preceding window of equal length; 100 if that window had none.")
    )
  }).annotate({ identifier: "TopEvent", description: "How often callers tracked an event." })
).annotate({ identifier: "TopEvents", description: "Names of tracked events, the most frequent first." })
export type TopEvents = typeof TopEvents.Type

/** Endpoints of analytics. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { JsonBody, Validation } from "../../platform/Request.ts"
import {
  CampaignOverview,
  CampaignOverviewQuery,
  ProviderResults,
  ProvidersQuery,
  Timeseries,
  TimeseriesQuery,
  TopCampaigns,
  TopCampaignsQuery,
  TopEvents,
  TopEventsQuery
} from "./Analytics.ts"
import { Conversions, ConversionsQuery } from "./Conversions.ts"

export class AnalyticsApi extends HttpApiGroup.make("analytics")
  .add(
    HttpApiEndpoint.get("timeseries", "/timeseries", { query: TimeseriesQuery, success: Timeseries }).annotateMerge(
      OpenApi.annotations({
        summary: "Mail by day",
        description:
          "One entry for each day of the window, including days without mail; by default the last 30 days. Days are counted whole, even if the window starts or ends within one. Counts stay when contacts and campaigns are deleted."
      })
    ),
    HttpApiEndpoint.get("providers", "/providers", { query: ProvidersQuery, success: ProviderResults }).annotateMerge(
      OpenApi.annotations({
        summary: "Results by mailbox provider",
        description:
          "Results of mail by the mailbox providers of the recipients; by default of the last 30 days. Days are counted whole, and each result counts on the day on which it happened. Counts stay when contacts and campaigns are deleted."
      })
    ),
    HttpApiEndpoint.get("topCampaigns", "/top-campaigns", {
      query: TopCampaignsQuery,
      success: TopCampaigns
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The best campaigns",
        description:
          "Campaigns that are sent or being sent, ordered by a metric, by default 10. The dates refer to the start of sending."
      })
    ),
    HttpApiEndpoint.get("campaignStats", "/campaign-stats", {
      query: CampaignOverviewQuery,
      success: CampaignOverview
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Statistics of all campaigns",
        description:
          "Counts by state, average rates and the newest campaigns. The dates refer to the creation of the campaigns."
      })
    ),
    HttpApiEndpoint.get("conversions", "/conversions", {
      query: ConversionsQuery,
      success: Conversions
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Conversions and revenue",
        description:
          "Goals reached, by day, campaign or workflow, at most 500 rows; by default of the last 30 days. A conversion counts on the day on which it was recorded, in UTC. Sums stay when contacts are deleted, and go with their campaign or workflow."
      })
    ),
    HttpApiEndpoint.get("topEvents", "/top-events", { query: TopEventsQuery, success: TopEvents }).annotateMerge(
      OpenApi.annotations({
        summary: "The most frequent events",
        description: "The names that callers tracked most; by default 5, of the last 30 days."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(OpenApi.Description, "Statistics of mail, campaigns and events.")
  .prefix("/analytics") {}

/** Endpoints of the analytics. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { JsonBody, Validation } from "../../platform/Request.ts"
import {
  CampaignOverview,
  CampaignOverviewQuery,
  Timeseries,
  TimeseriesQuery,
  TopCampaigns,
  TopCampaignsQuery,
  TopEvents,
  TopEventsQuery
} from "./Analytics.ts"

export class AnalyticsApi extends HttpApiGroup.make("analytics")
  .add(
    HttpApiEndpoint.get("timeseries", "/timeseries", { query: TimeseriesQuery, success: Timeseries }).annotateMerge(
      OpenApi.annotations({
        summary: "Mail by day",
        description:
          "One entry for each day of the window, including days without mail; the last 30 days without dates. Days are whole, even where a date-time begins or ends within one. Counts stay when contacts and campaigns are deleted."
      })
    ),
    HttpApiEndpoint.get("topCampaigns", "/top-campaigns", {
      query: TopCampaignsQuery,
      success: TopCampaigns
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The best campaigns",
        description:
          "Campaigns that are sent or being sent, ordered by a metric, 10 by default. Dates are those on which they were sent."
      })
    ),
    HttpApiEndpoint.get("campaignStats", "/campaign-stats", {
      query: CampaignOverviewQuery,
      success: CampaignOverview
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Figures of all campaigns",
        description: "Counts by state, average rates and the newest campaigns. Dates are those of their creation."
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
  .annotate(OpenApi.Description, "How mail, campaigns and events do.")
  .prefix("/analytics") {}

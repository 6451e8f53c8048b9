/** Endpoints of the activity feed. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { envelope, InvalidCursor } from "../../platform/Errors.ts"
import { JsonBody, Validation } from "../../platform/Request.ts"
import {
  ActivityPage,
  ActivityQuery,
  ActivityStats,
  ActivityStatsQuery,
  ActivityTypes,
  RecentCount,
  RecentCountQuery,
  Upcoming,
  UpcomingQuery
} from "./Activity.ts"

export class ActivityApi extends HttpApiGroup.make("activity")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: ActivityQuery,
      success: ActivityPage,
      error: envelope(InvalidCursor)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List activity",
        description:
          "The activity feed of the project, newest first, by default 50 entries per page, of the last 30 days. `total` is counted up to 10,000. Entries of deleted contacts and campaigns are not included."
      })
    ),
    HttpApiEndpoint.get("stats", "/stats", { query: ActivityStatsQuery, success: ActivityStats }).annotateMerge(
      OpenApi.annotations({
        summary: "Count activity",
        description: "Totals and rates of a window, by default of the last 30 days."
      })
    ),
    HttpApiEndpoint.get("recentCount", "/recent-count", {
      query: RecentCountQuery,
      success: RecentCount
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Count recent activity",
        description: "Counts the entries of the last minutes, by default 5."
      })
    ),
    HttpApiEndpoint.get("types", "/types", { success: ActivityTypes }).annotateMerge(
      OpenApi.annotations({
        summary: "List types of activity",
        description: "All types, and those that occurred in the project."
      })
    ),
    HttpApiEndpoint.get("upcoming", "/upcoming", { query: UpcomingQuery, success: Upcoming }).annotateMerge(
      OpenApi.annotations({
        summary: "List scheduled activity",
        description:
          "Scheduled campaigns, workflows and steps, earliest first; by default 50 entries of the next 30 days."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(OpenApi.Description, "The activity feed of the project, across its resources.")
  .prefix("/activity") {}

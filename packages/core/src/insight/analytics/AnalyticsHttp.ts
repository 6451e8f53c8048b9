/** Handlers of AnalyticsApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import * as Analytics from "./Analytics.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "analytics">,
  never,
  Analytics.Needs | JsonBody | ProjectAccess | Validation
> = group(
  Api,
  "analytics",
  Effect.fnUntraced(function* (handlers) {
    const analytics = yield* Analytics.make
    return handlers.handleAll({
      timeseries: ({ query }) => CurrentProject.use(({ id }) => analytics.timeseries(id, query)),
      providers: ({ query }) => CurrentProject.use(({ id }) => analytics.providers(id, query)),
      topCampaigns: ({ query }) => CurrentProject.use(({ id }) => analytics.topCampaigns(id, query)),
      campaignStats: ({ query }) => CurrentProject.use(({ id }) => analytics.campaignStats(id, query)),
      conversions: ({ query }) => CurrentProject.use(({ id }) => analytics.conversions(id, query)),
      topEvents: ({ query }) => CurrentProject.use(({ id }) => analytics.topEvents(id, query))
    })
  })
)

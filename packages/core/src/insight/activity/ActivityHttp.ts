/** Handlers of ActivityApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import * as Activity from "./Activity.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "activity">,
  never,
  Activity.Needs | JsonBody | ProjectAccess | Validation
> = group(
  Api,
  "activity",
  Effect.fnUntraced(function* (handlers) {
    const activity = yield* Activity.make
    return handlers.handleAll({
      list: ({ query }) => CurrentProject.use(({ id }) => activity.list(id, query)),
      stats: ({ query }) => CurrentProject.use(({ id }) => activity.stats(id, query)),
      recentCount: ({ query }) => CurrentProject.use(({ id }) => activity.recentCount(id, query)),
      types: () => CurrentProject.use(({ id }) => activity.types(id)),
      upcoming: ({ query }) => CurrentProject.use(({ id }) => activity.upcoming(id, query))
    })
  })
)

/** Handlers of ViewsApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import * as Views from "./Views.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "views">,
  never,
  JsonBody | ProjectAccess | Validation | Views.Needs
> = group(
  Api,
  "views",
  Effect.fnUntraced(function* (handlers) {
    const views = yield* Views.make
    return handlers.handleAll({
      list: ({ query }) => CurrentProject.use(({ id }) => views.list(id, query)),
      create: ({ payload }) => CurrentProject.use(({ id }) => views.create(id, payload)),
      update: ({ params, payload }) => CurrentProject.use(({ id }) => views.update(id, params.id, payload)),
      remove: ({ params }) => CurrentProject.use(({ id }) => views.remove(id, params.id))
    })
  })
)

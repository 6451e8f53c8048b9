/** Handlers of TransportsApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { withRetryAfter } from "../../accounts/people/AuthHttp.ts"
import { group } from "../../platform/http/RequestContext.ts"
import * as Transports from "./Transports.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "transports">,
  never,
  JsonBody | ProjectAccess | Transports.Needs | Validation
> = group(
  Api,
  "transports",
  Effect.fnUntraced(function* (handlers) {
    const transports = yield* Transports.make
    return handlers.handleAll({
      list: () => CurrentProject.use(({ id }) => transports.list(id)),
      create: ({ payload }) => CurrentProject.use(({ id }) => withRetryAfter(transports.create(id, payload))),
      routes: () => CurrentProject.use(({ id }) => transports.routes(id)),
      setRoutes: ({ payload }) => CurrentProject.use(({ id }) => transports.setRoutes(id, payload)),
      get: ({ params }) => CurrentProject.use(({ id }) => transports.get(id, params.id)),
      update: ({ params, payload }) =>
        CurrentProject.use(({ id }) => withRetryAfter(transports.update(id, params.id, payload))),
      remove: ({ params }) => CurrentProject.use(({ id }) => transports.remove(id, params.id)),
      verify: ({ params }) => CurrentProject.use(({ id }) => transports.verify(id, params.id))
    })
  })
)

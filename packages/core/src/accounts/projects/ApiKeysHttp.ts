/** Handlers of ApiKeysApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import * as ApiKeys from "./ApiKeys.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "apiKeys">,
  never,
  ApiKeys.Needs | JsonBody | ProjectAccess | Validation
> = group(
  Api,
  "apiKeys",
  Effect.fnUntraced(function* (handlers) {
    const keys = yield* ApiKeys.make
    return handlers.handleAll({
      list: () => CurrentProject.use(({ id }) => keys.list(id)),
      create: ({ payload }) => CurrentProject.use(({ id }) => keys.create(id, payload)),
      get: ({ params }) => CurrentProject.use(({ id }) => keys.get(id, params.id)),
      update: ({ params, payload }) => CurrentProject.use(({ id }) => keys.update(id, params.id, payload)),
      rotate: ({ params, payload }) => CurrentProject.use(({ id }) => keys.rotate(id, params.id, payload)),
      remove: ({ params }) => CurrentProject.use(({ id }) => keys.remove(id, params.id))
    })
  })
)

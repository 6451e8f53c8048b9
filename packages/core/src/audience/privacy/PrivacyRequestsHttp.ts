/** Handlers of PrivacyRequestsApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import * as PrivacyRequests from "./PrivacyRequests.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "privacyRequests">,
  never,
  JsonBody | PrivacyRequests.Needs | ProjectAccess | Validation
> = group(
  Api,
  "privacyRequests",
  Effect.fnUntraced(function* (handlers) {
    const requests = yield* PrivacyRequests.make
    return handlers.handleAll({
      list: ({ query }) => CurrentProject.use(({ id }) => requests.list(id, query)),
      get: ({ params }) => CurrentProject.use(({ id }) => requests.get(id, params.id)),
      complete: ({ params }) => CurrentProject.use(({ id }) => requests.complete(id, params.id)),
      refuse: ({ params, payload }) => CurrentProject.use(({ id }) => requests.refuse(id, params.id, payload.note))
    })
  })
)

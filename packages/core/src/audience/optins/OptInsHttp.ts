/** Handlers of OptInsApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { withRetryAfter } from "../../accounts/people/AuthHttp.ts"
import { group } from "../../platform/http/RequestContext.ts"
import * as OptIns from "./OptIns.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "optIns">,
  never,
  JsonBody | OptIns.Needs | ProjectAccess | Validation
> = group(
  Api,
  "optIns",
  Effect.fnUntraced(function* (handlers) {
    const optIns = yield* OptIns.make
    return handlers.handleAll({
      list: ({ query }) => CurrentProject.use(({ id }) => optIns.list(id, query)),
      request: ({ params, payload }) =>
        CurrentProject.use(({ id }) => withRetryAfter(optIns.ask(id, params.id, payload))),
      ofContact: ({ params }) => CurrentProject.use(({ id }) => optIns.ofContact(id, params.id)),
      cancel: ({ params }) => CurrentProject.use(({ id }) => optIns.cancel(id, params.id))
    })
  })
)

/** Handlers of OptInsApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import * as OptIns from "./OptIns.ts"

const waiting = (seconds: number) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", String(seconds)))
  )

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
        CurrentProject.use(({ id }) =>
          Effect.tapErrorTag(optIns.ask(id, params.id, payload), "RATE_LIMIT_EXCEEDED", ({ retryAfter }) =>
            waiting(retryAfter)
          )
        ),
      ofContact: ({ params }) => CurrentProject.use(({ id }) => optIns.ofContact(id, params.id)),
      cancel: ({ params }) => CurrentProject.use(({ id }) => optIns.cancel(id, params.id))
    })
  })
)

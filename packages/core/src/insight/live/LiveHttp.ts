/** Handler of LiveApi. */
import { Api } from "@posthorn/contract/Api"
import { Actor, CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import { announceRetryAfter } from "../../platform/http/Respond.ts"
import { Live } from "./Live.ts"

/** Nginx would collect the events before it passes them on. */
const unbuffered = { contentType: "text/event-stream", headers: { "x-accel-buffering": "no" } }

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "live">,
  never,
  JsonBody | Live | ProjectAccess | Validation
> = group(
  Api,
  "live",
  Effect.fnUntraced(function* (handlers) {
    const live = yield* Live
    return handlers.handleAll({
      live: Effect.fnUntraced(function* ({ query, headers }) {
        const { id } = yield* CurrentProject
        const following = { topics: query.topics, after: headers["last-event-id"] }
        const text = yield* Effect.tapError(live.follow(id, yield* Actor, following), ({ retryAfter }) =>
          announceRetryAfter(retryAfter)
        )
        return HttpServerResponse.stream(Stream.encodeText(text), unbuffered)
      })
    })
  })
)

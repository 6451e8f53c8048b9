/**
 * The end of intake (doors 2): from the first signal on nothing new is begun, while what runs is finished.
 *
 * Probes and metrics still answer, so that a load balancer sees it; everything else is asked to come back. Connections
 * are not kept, so that the server can close as soon as the last answer is out.
 */
import { envelope, ServerStopping, ServiceUnavailable } from "@posthorn/contract/Errors"
import { respond } from "@posthorn/core/http/Respond"
import { ServiceStatus } from "@posthorn/core/service/ServiceStatus"
import { Effect, type Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

const stillAnswers = /^\/(?:health|ready|metrics)\/?(?:\?|$)/

const comeBack = Schema.encodeEffect(envelope(ServiceUnavailable))(new ServerStopping()).pipe(
  Effect.orDie,
  Effect.map((body) => HttpServerResponse.setHeader(respond(body), "retry-after", "1"))
)

export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | ServiceStatus> = HttpRouter.middleware(
  Effect.map(
    ServiceStatus,
    ({ isDraining }) =>
      (app) =>
        Effect.gen(function* () {
          const { url } = yield* HttpServerRequest.HttpServerRequest
          const refused = (yield* isDraining) && !stillAnswers.test(url)
          const response = yield* refused ? comeBack : app
          return (yield* isDraining) ? HttpServerResponse.setHeader(response, "connection", "close") : response
        })
  ),
  { global: true }
)

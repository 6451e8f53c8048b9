/**
 * Stops new requests after the first signal. Running requests finish.
 *
 * Probes and metrics still answer, so that a load balancer sees the shutdown. Every other request gets a 503 with
 * Retry-After. Connections are not kept alive, so that the server can close after the last answer.
 */
import { envelope, ServerStopping, ServiceUnavailable } from "@posthorn/contract/platform/Errors"
import { respond } from "@posthorn/core/platform/http/Respond"
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

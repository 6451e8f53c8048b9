/** Answers that no endpoint encodes. */
import { Forbidden, InvalidApiKey, ProjectDisabled } from "@posthorn/contract/platform/Auth"
import {
  type ErrorEnvelope,
  envelope,
  InvalidJson,
  PayloadTooLarge,
  RateLimitExceeded,
  ResourceNotFound,
  RouteNotFound,
  ServiceUnavailable,
  UnsupportedMediaType,
  ValidationError
} from "@posthorn/contract/platform/Errors"
import { Effect, Schema } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"

/** Unknown routes, defects, malformed ids. */
export const respond = (envelope: typeof ErrorEnvelope.Encoded): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(envelope, { status: envelope.error.statusCode })

const Refusal = Schema.Union([
  envelope(Forbidden),
  envelope(InvalidApiKey),
  envelope(InvalidJson),
  envelope(PayloadTooLarge),
  envelope(ProjectDisabled),
  envelope(RateLimitExceeded),
  envelope(ResourceNotFound),
  envelope(ServiceUnavailable),
  envelope(UnsupportedMediaType),
  envelope(ValidationError)
])
const encodeRefusal = Schema.encodeEffect(Refusal)

/** The refusal of a route that is not part of the API, in the form of the API. */
export const respondRefusal = (refusal: typeof Refusal.Type): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(Effect.orDie(encodeRefusal(refusal)), respond)

/** The refusals that a route which is not part of the API catches, for `respondRefusal`. */
export const refusals = [
  "FORBIDDEN",
  "INVALID_API_KEY",
  "INVALID_JSON",
  "PAYLOAD_TOO_LARGE",
  "PROJECT_DISABLED",
  "RATE_LIMIT_EXCEEDED",
  "SERVICE_UNAVAILABLE",
  "UNSUPPORTED_MEDIA_TYPE",
  "VALIDATION_ERROR"
] as const

/** Adds `Retry-After` to the answer of this request, in whole seconds. */
export const announceRetryAfter = (seconds: number) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", String(seconds)))
  )

/** The route does not exist, or not in this deployment. */
export const routeNotFound: Effect.Effect<HttpServerResponse.HttpServerResponse> = Effect.map(
  Effect.orDie(Schema.encodeEffect(envelope(RouteNotFound))(new RouteNotFound())),
  respond
)

/** A 400 without envelope. */
export const refuse = (error: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe({ error }, { status: 400 })

export const notJson: HttpServerResponse.HttpServerResponse = refuse("Request body is not valid JSON")

/** Answers that no endpoint encodes. */
import { type ErrorEnvelope, envelope, RouteNotFound } from "@posthorn/contract/platform/Errors"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"

/** Unknown routes, defects, malformed ids. */
export const respond = (envelope: typeof ErrorEnvelope.Encoded): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(envelope, { status: envelope.error.statusCode })

/** The route does not exist, or not in this deployment. */
export const routeNotFound: Effect.Effect<HttpServerResponse.HttpServerResponse> = Effect.map(
  Effect.orDie(Schema.encodeEffect(envelope(RouteNotFound))(new RouteNotFound())),
  respond
)

/** A 400 without envelope. */
export const refuse = (error: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe({ error }, { status: 400 })

export const notJson: HttpServerResponse.HttpServerResponse = refuse("Request body is not valid JSON")

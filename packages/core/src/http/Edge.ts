/**
 * What surrounds every request, whatever becomes of it (contract 1.2, 1.4, 1.5): its id, `no-store`, `nosniff`, CORS, and for
 * unknown routes and defects an envelope that says no more than it should.
 */
import { envelope, InternalError, ServiceUnavailable } from "@posthorn/contract/Errors"
import { RequestId } from "@posthorn/contract/Wire"
import { Effect, type Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Headers, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { SqlError } from "effect/sql"
import { Settings } from "../Settings.ts"
import { corsHeaders, isPreflight, preflight } from "./Cors.ts"
import * as Crowd from "./Crowd.ts"
import { Overloaded } from "./Overloaded.ts"
import { respond, routeNotFound } from "./Respond.ts"

const internalError = Schema.encodeEffect(envelope(InternalError))(new InternalError())
const unavailable = Schema.encodeEffect(envelope(ServiceUnavailable))(new ServiceUnavailable())

const isRouteNotFound = (error: unknown): error is HttpServerError.HttpServerError =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

/** Storage that is down, restarting or out of room, or more asked than we can take: not our bug and not the caller's. */
const outages = new Set([
  "ConnectionError",
  "LockTimeoutError",
  "DeadlockError",
  "SerializationError",
  "StatementTimeoutError"
])
const isOutage = (defect: unknown): boolean =>
  defect instanceof Overloaded ||
  (SqlError.isSqlError(defect) && (outages.has(defect.reason._tag) || isOutOfReach(defect.reason.cause)))

/** SQLSTATE classes 08 (connection), 53 (out of disk, memory, connections), 57P (shutting down, starting up), 58. */
const isOutOfReach = (cause: unknown): boolean =>
  typeof cause === "object" &&
  cause !== null &&
  (("code" in cause && /^(?:08|53|57P|58)/.test(String(cause.code))) || ("cause" in cause && isOutOfReach(cause.cause)))

/** A crowd is not worth a line for each of its requests. */
const logged = (defect: unknown) =>
  defect instanceof Overloaded ? Effect.logDebug("Request refused", defect) : Effect.logError("Request failed", defect)

/** For the log: without its query, and without what is a credential in it, as links have. */
const pathOf = ({ url }: HttpServerRequest.HttpServerRequest) => url.split("?")[0]?.replace(/[\w-]{40,}[\w.-]*/g, "...")

const withoutTrailingSlash = (request: HttpServerRequest.HttpServerRequest) => {
  const url = request.url.replace(/^([^?]+?)\/+(?=$|\?)/, "$1")
  return url === request.url ? request : request.modify({ url })
}

export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | SecureRandom.SecureRandom> =
  HttpRouter.middleware(
    Effect.map(
      Effect.all([SecureRandom.SecureRandom, Settings]),
      ([random, { dashboardOrigins }]) =>
        (app) =>
          Effect.gen(function* () {
            const request = withoutTrailingSlash(yield* HttpServerRequest.HttpServerRequest)
            const given = request.headers["x-request-id"]
            const id = given !== undefined && /^[\x20-\x7e]{1,128}$/.test(given) ? given : yield* random.uuidV7()
            const always = Headers.fromInput({
              "x-request-id": id,
              "x-content-type-options": "nosniff",
              ...corsHeaders(request, dashboardOrigins)
            })
            if (isPreflight(request)) return HttpServerResponse.setHeaders(preflight(request, dashboardOrigins), always)
            return yield* Crowd.admit(request.url, app).pipe(
              Effect.catchIf(isRouteNotFound, () => routeNotFound),
              Effect.catchDefect((defect) =>
                logged(defect).pipe(
                  Effect.annotateLogs({ requestId: id, method: request.method, path: pathOf(request) }),
                  Effect.andThen(
                    isOutage(defect)
                      ? Effect.map(Effect.orDie(unavailable), (body) =>
                          HttpServerResponse.setHeader(respond(body), "retry-after", "1")
                        )
                      : Effect.map(Effect.orDie(internalError), respond)
                  )
                )
              ),
              Effect.map((response) =>
                HttpServerResponse.setHeaders(response, {
                  ...always,
                  "cache-control": response.headers["cache-control"] ?? "no-store"
                })
              ),
              Effect.provideService(RequestId, id),
              Effect.provideService(HttpServerRequest.HttpServerRequest, request)
            )
          })
    ),
    { global: true }
  )

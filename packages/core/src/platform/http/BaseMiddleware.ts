/**
 * The outermost middleware of every request: its id, `no-store`, `nosniff` and CORS. Unknown routes and defects get an
 * error envelope that reveals no internals.
 */
import {
  envelope,
  InternalError,
  RequestTimeout,
  ServiceUnavailable,
  StorageFull,
  UriTooLong
} from "@posthorn/contract/platform/Errors"
import { RequestId } from "@posthorn/contract/platform/Primitives"
import { Effect, type Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Headers, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Settings } from "../Settings.ts"
import * as ConcurrencyLimit from "./ConcurrencyLimit.ts"
import { corsHeaders, isPreflight, preflight } from "./Cors.ts"
import { isDiskFull, noteFull } from "./FullDisk.ts"
import { isOutage } from "./Outages.ts"
import { Overloaded, TooSlow } from "./Overloaded.ts"
import { respond, routeNotFound } from "./Respond.ts"

const internalError = Schema.encodeEffect(envelope(InternalError))(new InternalError())
const storageFull = Schema.encodeEffect(envelope(ServiceUnavailable))(new StorageFull())
const unavailable = Schema.encodeEffect(envelope(ServiceUnavailable))(new ServiceUnavailable())

const requestTimeout = Schema.encodeEffect(envelope(RequestTimeout))(new RequestTimeout())

/** Characters of a path without its query. */
const longestPath = 2048
const uriTooLong = Schema.encodeEffect(envelope(UriTooLong))(new UriTooLong({ limit: longestPath }))

const isRouteNotFound = (error: unknown): error is HttpServerError.HttpServerError =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

/** Refusals under load are logged only at debug level. */
const logged = (defect: unknown) =>
  isDiskFull(defect)
    ? Effect.logError("The disk of the database is full: requests that store anything are answered with 503", defect)
    : defect instanceof Overloaded || defect instanceof TooSlow
      ? Effect.logDebug("Request refused", defect)
      : Effect.logError("Request failed", defect)

/** The path for the log, without its query and without credentials, which links contain. */
const pathOf = ({ url }: HttpServerRequest.HttpServerRequest) => url.split("?")[0]?.replace(/[\w-]{40,}[\w.-]*/g, "...")

const slash = 0x2f

const lengthOfPath = (url: string): number => {
  const query = url.indexOf("?")
  return query === -1 ? url.length : query
}

const withoutTrailingSlash = (request: HttpServerRequest.HttpServerRequest) => {
  const { url } = request
  const length = lengthOfPath(url)
  let end = length
  while (end > 1 && url.charCodeAt(end - 1) === slash) end--
  return end === length ? request : request.modify({ url: url.slice(0, end) + url.slice(length) })
}

/** Closes the connection of a request that was not read to its end. */
const closing = (response: HttpServerResponse.HttpServerResponse) =>
  HttpServerResponse.setHeader(response, "connection", "close")

const answerTo = (defect: unknown) => {
  if (defect instanceof TooSlow) return Effect.map(Effect.orDie(requestTimeout), (body) => closing(respond(body)))
  if (isDiskFull(defect)) {
    return Effect.andThen(
      noteFull,
      Effect.map(Effect.orDie(storageFull), (body) => HttpServerResponse.setHeader(respond(body), "retry-after", "30"))
    )
  }
  if (!isOutage(defect)) return Effect.map(Effect.orDie(internalError), respond)
  return Effect.map(Effect.orDie(unavailable), (body) => {
    const response = HttpServerResponse.setHeader(respond(body), "retry-after", "1")
    return defect instanceof Overloaded && defect.what === "unfinished requests" ? closing(response) : response
  })
}

export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | SecureRandom.SecureRandom> =
  HttpRouter.middleware(
    Effect.map(
      Effect.all([SecureRandom.SecureRandom, Settings]),
      ([random, { dashboardOrigins }]) =>
        (app) =>
          Effect.gen(function* () {
            const sent = yield* HttpServerRequest.HttpServerRequest
            const request = withoutTrailingSlash(sent)
            const given = request.headers["x-request-id"]
            const id = given !== undefined && /^[\x20-\x7e]{1,128}$/.test(given) ? given : yield* random.uuidV7()
            const always = Headers.fromInput({
              "x-request-id": id,
              "x-content-type-options": "nosniff",
              ...corsHeaders(request, dashboardOrigins)
            })
            if (isPreflight(request)) return HttpServerResponse.setHeaders(preflight(request, dashboardOrigins), always)
            const handled =
              lengthOfPath(sent.url) > longestPath
                ? Effect.map(Effect.orDie(uriTooLong), respond)
                : ConcurrencyLimit.admit(request.url, app)
            return yield* handled.pipe(
              Effect.catchIf(isRouteNotFound, () => routeNotFound),
              Effect.catchDefect((defect) =>
                logged(defect).pipe(
                  Effect.annotateLogs({ requestId: id, method: request.method, path: pathOf(request) }),
                  Effect.andThen(answerTo(defect))
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

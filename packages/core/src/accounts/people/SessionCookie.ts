/** The session cookie on requests and answers. */
import { Forbidden, sessionCookie } from "@posthorn/contract/platform/Auth"
import { Duration, Effect, Option, Redacted } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Settings } from "../../platform/Settings.ts"
import { sessionLifetime } from "./Sessions.ts"

/** Set and removed with the session, without a secret: pages read it to know that there may be a session. */
const signedInCookie = "posthorn_signed_in"

const attributes = Effect.map(Settings, ({ publicUrl }) => ({
  sameSite: "lax" as const,
  path: "/",
  secure: publicUrl.startsWith("https:")
}))

/** Over https, browsers accept a cookie with this prefix only from this host and for all of its paths. */
const hostPrefix = "__Host-"

const nameFor = (secure: boolean) => (secure ? `${hostPrefix}${sessionCookie}` : sessionCookie)

const appendCookie = (name: string, value: string, maxAge: Duration.Duration, httpOnly = true) =>
  Effect.flatMap(attributes, (options) =>
    HttpEffect.appendPreResponseHandler((_request, response) =>
      Effect.orDie(HttpServerResponse.setCookie(response, name, value, { ...options, httpOnly, maxAge }))
    )
  )

/**
 * Removes a cookie without the prefix, which an older version or a deployment without https has set. Otherwise it would
 * outlive the session.
 */
const dropPlain = Effect.gen(function* () {
  const { secure } = yield* attributes
  const request = yield* Effect.serviceOption(HttpServerRequest.HttpServerRequest)
  if (secure && Option.exists(request, ({ cookies }) => cookies[sessionCookie] !== undefined)) {
    yield* appendCookie(sessionCookie, "", Duration.zero)
  }
})

/** Sets the cookie on the answer. */
export const set = Effect.fnUntraced(function* (token: Redacted.Redacted<string>) {
  const { secure } = yield* attributes
  yield* appendCookie(nameFor(secure), Redacted.value(token), sessionLifetime)
  yield* appendCookie(signedInCookie, "1", sessionLifetime, false)
  yield* dropPlain
})

/** Removes the cookie on the answer. */
export const clear = Effect.gen(function* () {
  const { secure } = yield* attributes
  yield* appendCookie(nameFor(secure), "", Duration.zero)
  yield* appendCookie(signedInCookie, "", Duration.zero, false)
  yield* dropPlain
})

/** The cookie of the request, or the one without prefix that older versions set. Empty when there is none. */
export const sent: Effect.Effect<Redacted.Redacted<string>, never, HttpServerRequest.HttpServerRequest> = Effect.gen(
  function* () {
    const { cookies } = yield* HttpServerRequest.HttpServerRequest
    const { secure } = yield* attributes
    return Redacted.make(cookies[nameFor(secure)] ?? cookies[sessionCookie] ?? "")
  }
)

/** Whether the browser has only the cookie without prefix. The answer then sets the one with the prefix. */
export const isUnprefixed = Effect.gen(function* () {
  const { cookies } = yield* HttpServerRequest.HttpServerRequest
  const { secure } = yield* attributes
  return secure && cookies[nameFor(secure)] === undefined && cookies[sessionCookie] !== undefined
})

/**
 * Refuses requests from pages of other origins. `Origin` decides where the browser sends it, else `Sec-Fetch-Site`. A
 * request with neither header is not from a browser and passes.
 */
export const fromAllowedOrigin = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const { dashboardOrigins, publicUrl } = yield* Settings
  const origin = headers["origin"]
  const site = headers["sec-fetch-site"]
  const isAllowed =
    origin === undefined
      ? site === undefined || site === "same-origin" || site === "none"
      : origin === new URL(publicUrl).origin || dashboardOrigins.includes(origin)
  if (!isAllowed) return yield* new Forbidden({ reason: "origin" })
})

/** As `fromAllowedOrigin`, for methods that change something. */
export const writesFromAllowedOrigin = Effect.gen(function* () {
  const { method } = yield* HttpServerRequest.HttpServerRequest
  if (method !== "GET" && method !== "HEAD" && method !== "OPTIONS") yield* fromAllowedOrigin
})

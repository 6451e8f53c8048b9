/** The cookie of the session on requests and answers (contract-2 9.1, 9.2). */
import { Forbidden, sessionCookie } from "@posthorn/contract/Auth"
import { Duration, Effect, Redacted } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Settings } from "../Settings.ts"
import { lifetime } from "./Sessions.ts"

const attributes = Effect.map(Settings, ({ publicUrl }) => ({
  httpOnly: true,
  sameSite: "lax" as const,
  path: "/",
  secure: publicUrl.startsWith("https:")
}))

/** The answer sets it. */
export const set = Effect.fnUntraced(function* (token: Redacted.Redacted<string>) {
  const options = { ...(yield* attributes), maxAge: lifetime }
  yield* HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.orDie(HttpServerResponse.setCookie(response, sessionCookie, Redacted.value(token), options))
  )
})

/** The answer takes it away. */
export const clear = Effect.gen(function* () {
  const options = { ...(yield* attributes), maxAge: Duration.zero }
  yield* HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.orDie(HttpServerResponse.setCookie(response, sessionCookie, "", options))
  )
})

/** As it was sent; empty when it was not. */
export const sent: Effect.Effect<Redacted.Redacted<string>, never, HttpServerRequest.HttpServerRequest> = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ cookies }) => Redacted.make(cookies[sessionCookie] ?? "")
)

/**
 * A browser says where a request comes from. `Origin` decides where it is sent; without it `Sec-Fetch-Site`, and a
 * request with neither is not from a browser (rulings 4).
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

/** The same where the method changes something. */
export const writesFromAllowedOrigin = Effect.gen(function* () {
  const { method } = yield* HttpServerRequest.HttpServerRequest
  if (method !== "GET" && method !== "HEAD" && method !== "OPTIONS") yield* fromAllowedOrigin
})

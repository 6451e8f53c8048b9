/** `/oauth/{provider}/outbound` and `/oauth/{provider}/callback`: redirect to a provider, and the return from it. */
import { BadRequest, envelope } from "@posthorn/contract/platform/Errors"
import { Duration, Effect, type Layer, Option, Redacted, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as ClientLimit from "../../platform/http/ClientLimit.ts"
import { respond, routeNotFound } from "../../platform/http/Respond.ts"
import { inContext } from "../../platform/http/Routes.ts"
import { Settings } from "../../platform/Settings.ts"
import { basePath, makePageLimit } from "../../platform/web/PageRequest.ts"
import { identityProviders } from "./IdentityProvider.ts"
import { isLocalPath, longestLocalPath } from "./LocalPath.ts"
import { type Callback, Oauth, type OauthFailure } from "./Oauth.ts"
import { stateLifetime } from "./OauthState.ts"
import * as SessionCookie from "./SessionCookie.ts"

const cookie = "posthorn_oauth"
const encodeBadRequest = Schema.encodeEffect(envelope(BadRequest))

const badReturnTo = (received: string) => {
  const fault = {
    field: "returnTo",
    message: `A path of this site that begins with one slash, of at most ${longestLocalPath} characters.`,
    code: "invalid_string" as const,
    received: received.slice(0, 100)
  }
  return Effect.map(Effect.orDie(encodeBadRequest(new BadRequest({ errors: [fault] }))), respond)
}

const textOf = (value: string | ReadonlyArray<string> | undefined) => (typeof value === "string" ? value : "")

const seeOther = (location: string) =>
  HttpServerResponse.empty({ status: 302, headers: { location, "referrer-policy": "no-referrer" } })

/** The page on which a login that waits for its second factor continues. */
export const secondFactorPage = (
  publicUrl: string,
  { token, returnTo }: { readonly token: string; readonly returnTo: string }
): string => `${basePath(publicUrl)}/account/two-factor?${new URLSearchParams({ token, returnTo })}`

const makeRoutes = Effect.gen(function* () {
  const oauth = yield* Oauth
  const { publicUrl } = yield* Settings
  const here = yield* inContext
  const limited = makePageLimit()

  const attributes = {
    httpOnly: true,
    sameSite: "lax" as const,
    path: `${basePath(publicUrl)}/oauth`,
    secure: publicUrl.startsWith("https:")
  }
  const withCookie = (response: HttpServerResponse.HttpServerResponse, value: string, maxAge: Duration.Duration) =>
    Effect.orDie(HttpServerResponse.setCookie(response, cookie, value, { ...attributes, maxAge }))

  const provider = Effect.map(HttpRouter.params, ({ provider }) =>
    Option.fromUndefinedOr(identityProviders.find((name) => name === provider && oauth.configured[name]))
  )

  const failure = (reason: OauthFailure) => seeOther(`${basePath(publicUrl)}/account/error?reason=${reason}`)

  const outbound = Effect.gen(function* () {
    const name = yield* provider
    if (Option.isNone(name)) return yield* routeNotFound
    const { returnTo: given } = yield* HttpServerRequest.ParsedSearchParams
    const returnTo = given === undefined ? "/" : textOf(given)
    if (!isLocalPath(returnTo)) return yield* badReturnTo(returnTo)
    return yield* oauth.begin(name.value, returnTo).pipe(
      Effect.flatMap(
        Option.match({
          onNone: () => routeNotFound,
          onSome: ({ url, verifier }) => withCookie(seeOther(url), Redacted.value(verifier), stateLifetime)
        })
      ),
      Effect.catchTag("OauthFailed", ({ reason }) => Effect.succeed(failure(reason)))
    )
  })

  const callback = Effect.gen(function* () {
    const name = yield* provider
    if (Option.isNone(name)) return yield* routeNotFound
    const { cookies } = yield* HttpServerRequest.HttpServerRequest
    const { state, code, error, iss } = yield* HttpServerRequest.ParsedSearchParams
    const brought: Callback = { state: textOf(state), code: textOf(code), error: textOf(error), issuer: textOf(iss) }
    const verifier = Redacted.make(cookies[cookie] ?? "")
    const response = yield* oauth.finish(name.value, brought, verifier, yield* ClientLimit.client).pipe(
      Effect.tap(({ token }) => SessionCookie.set(token)),
      Effect.match({
        onSuccess: ({ returnTo }) => seeOther(returnTo),
        onFailure: (stop) =>
          stop._tag === "OauthFailed" ? failure(stop.reason) : seeOther(secondFactorPage(publicUrl, stop))
      })
    )
    return yield* withCookie(response, "", Duration.zero)
  })

  return [
    HttpRouter.route("GET", "/oauth/:provider/outbound", here(limited(outbound))),
    HttpRouter.route("GET", "/oauth/:provider/callback", here(limited(callback)))
  ]
})

export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Oauth> = HttpRouter.addAll(makeRoutes)

/** Handlers of AuthApi and SessionApi. */

import { Api } from "@posthorn/contract/Api"
import { AllowedOrigin, CurrentUser, type Session } from "@posthorn/contract/Auth"
import { done, type TooManyAttempts } from "@posthorn/contract/accounts/Account"
import type { JsonBody, Validation } from "@posthorn/contract/Request"
import { Effect, Layer } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../http/RequestContext.ts"
import * as Network from "./Network.ts"
import { Oauth } from "./Oauth.ts"
import * as SessionCookie from "./SessionCookie.ts"
import { Sessions } from "./Sessions.ts"
import { SignIn } from "./SignIn.ts"

/** Has the answer to too many attempts say when the next one may be made (`Retry-After`). */
export const telling = <A, E extends { readonly _tag: string }, R>(attempt: Effect.Effect<A, E | TooManyAttempts, R>) =>
  Effect.tapError(attempt, (error) =>
    error._tag === "RATE_LIMIT_EXCEEDED" && "retryAfter" in error
      ? HttpEffect.appendPreResponseHandler((_request, response) =>
          Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", String(error.retryAfter)))
        )
      : Effect.void
  )

const auth = group(
  Api,
  "auth",
  Effect.fnUntraced(function* (handlers) {
    const { configured } = yield* Oauth
    const signIn = yield* SignIn
    const sessions = yield* Sessions
    return handlers.handleAll({
      login: Effect.fnUntraced(function* ({ payload }) {
        const { account, token } = yield* telling(signIn.login(payload, yield* Network.current))
        yield* SessionCookie.set(token)
        return { success: true as const, data: { id: account.id, email: account.email } }
      }),
      signup: Effect.fnUntraced(function* ({ payload }) {
        const { account, token } = yield* telling(signIn.signup(payload, yield* Network.current))
        yield* SessionCookie.set(token)
        const { id, email, emailVerified } = account
        return { success: true as const, data: { id, email, emailVerified } }
      }),
      logout: Effect.fnUntraced(function* () {
        yield* sessions.end(yield* SessionCookie.sent)
        yield* SessionCookie.clear
        return done
      }),
      oauthConfig: () => Effect.succeed({ success: true as const, data: configured }),
      verifyEmail: ({ payload }) =>
        Effect.as(signIn.verifyEmail(payload.token), {
          success: true as const,
          data: { message: "Email verified" as const }
        }),
      requestPasswordReset: ({ payload }) => Effect.as(signIn.requestPasswordReset(payload.email), done),
      resetPassword: ({ payload }) => Effect.as(signIn.resetPassword(payload), done)
    })
  })
)

const session = group(
  Api,
  "session",
  Effect.fnUntraced(function* (handlers) {
    const signIn = yield* SignIn
    return handlers.handleAll({
      logoutAll: Effect.fnUntraced(function* () {
        const { id } = yield* CurrentUser
        yield* signIn.logoutAll(id)
        yield* SessionCookie.clear
        return done
      }),
      requestVerification: () => CurrentUser.use((user) => Effect.as(telling(signIn.requestVerification(user)), done))
    })
  })
)

/** Posts, and the GET that logs out; reading which providers there are is nobody's secret. */
const allowedOrigin = Layer.succeed(AllowedOrigin, (app, { endpoint }) =>
  endpoint.identifier === "oauthConfig" ? app : Effect.andThen(SessionCookie.fromAllowedOrigin, app)
)

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "auth"> | HttpApiGroup.Service<"posthorn", "session">,
  never,
  JsonBody | Oauth | Session | Sessions | SignIn | Validation
> = Layer.mergeAll(auth, session).pipe(Layer.provide(allowedOrigin))

/** Handlers of AuthApi and SessionApi. */

import { Api } from "@posthorn/contract/Api"
import { done, type InvalidToken, TooManyAttempts } from "@posthorn/contract/accounts/people/Account"
import { AllowedOrigin, CurrentUser, type Session } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, Layer, Option } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import * as ClientLimit from "../../platform/http/ClientLimit.ts"
import { group } from "../../platform/http/RequestContext.ts"
import { announceRetryAfter } from "../../platform/http/Respond.ts"
import { Oauth } from "./Oauth.ts"
import * as SessionCookie from "./SessionCookie.ts"
import { Sessions } from "./Sessions.ts"
import { SignIn } from "./SignIn.ts"

/** Adds `Retry-After` to the answer for too many attempts, or requests. */
export const withRetryAfter = <A, E extends { readonly _tag: string }, R>(
  attempt: Effect.Effect<A, E | TooManyAttempts, R>
) =>
  Effect.tapError(attempt, (error) =>
    error._tag === "RATE_LIMIT_EXCEEDED" && "retryAfter" in error ? announceRetryAfter(error.retryAfter) : Effect.void
  )

/** Wrong tokens of one client in any 60 seconds. */
const mostGuesses = 20

/** Limits the redeeming of tokens: a client that has sent too many wrong tokens is refused before any lookup. */
const limitGuesses = () => {
  const guesses = ClientLimit.make(mostGuesses)
  return <A, R>(redeem: Effect.Effect<A, InvalidToken, R>) =>
    Effect.gen(function* () {
      const client = yield* ClientLimit.client
      if (client === undefined) return yield* redeem
      const wait = yield* guesses.wait(client)
      if (Option.isSome(wait)) return yield* new TooManyAttempts({ limit: mostGuesses, retryAfter: wait.value })
      return yield* Effect.tapError(redeem, () => guesses.take(client))
    })
}

const auth = group(
  Api,
  "auth",
  Effect.fnUntraced(function* (handlers) {
    const { configured } = yield* Oauth
    const signIn = yield* SignIn
    const sessions = yield* Sessions
    const guess = limitGuesses()
    return handlers.handleAll({
      login: Effect.fnUntraced(function* ({ payload }) {
        const { account, token } = yield* withRetryAfter(signIn.login(payload, yield* ClientLimit.client))
        yield* SessionCookie.set(token)
        return { success: true as const, data: { id: account.id, email: account.email } }
      }),
      twoFactor: Effect.fnUntraced(function* ({ payload }) {
        const { account, token } = yield* withRetryAfter(signIn.twoFactor(payload, yield* ClientLimit.client))
        yield* SessionCookie.set(token)
        return { success: true as const, data: { id: account.id, email: account.email } }
      }),
      passkeyOptions: Effect.fnUntraced(function* ({ payload }) {
        return yield* withRetryAfter(signIn.passkeyRequest(payload.token, yield* ClientLimit.client))
      }),
      passkey: Effect.fnUntraced(function* ({ payload }) {
        const { account, token } = yield* withRetryAfter(signIn.passkey(payload, yield* ClientLimit.client))
        yield* SessionCookie.set(token)
        return { success: true as const, data: { id: account.id, email: account.email } }
      }),
      signup: Effect.fnUntraced(function* ({ payload }) {
        const { account, token } = yield* withRetryAfter(signIn.signup(payload, yield* ClientLimit.client))
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
        Effect.as(withRetryAfter(guess(signIn.verifyEmail(payload.token))), {
          success: true as const,
          data: { message: "Email verified" as const }
        }),
      requestPasswordReset: Effect.fnUntraced(function* ({ payload }) {
        yield* withRetryAfter(signIn.requestPasswordReset(payload.email, yield* ClientLimit.client))
        return done
      }),
      resetPassword: ({ payload }) => Effect.as(withRetryAfter(guess(signIn.resetPassword(payload))), done)
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
      requestVerification: () =>
        CurrentUser.use((user) => Effect.as(withRetryAfter(signIn.requestVerification(user)), done))
    })
  })
)

/** Checks the origin of POST requests and of the GET that logs out. The list of providers is public. */
const allowedOrigin = Layer.succeed(AllowedOrigin, (app, { endpoint }) =>
  endpoint.identifier === "oauthConfig" ? app : Effect.andThen(SessionCookie.fromAllowedOrigin, app)
)

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "auth"> | HttpApiGroup.Service<"posthorn", "session">,
  never,
  JsonBody | Oauth | Session | Sessions | SignIn | Validation
> = Layer.mergeAll(auth, session).pipe(Layer.provide(allowedOrigin))

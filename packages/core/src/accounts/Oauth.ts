/** Signing in with an account at a provider (contract-2 9.3). */
import { AccountId } from "@posthorn/contract/Auth"
import { Email } from "@posthorn/contract/Wire"
import { Context, Data, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { type Digest, type Kdf, SecureRandom } from "effect/crypto"
import { AuditLog } from "../audit/AuditLog.ts"
import type { Secrets } from "../Secrets.ts"
import { Settings } from "../Settings.ts"
import { AccountStore } from "./AccountStore.ts"
import { Attempts, limits } from "./Attempts.ts"
import { IdentityProviders, type ProviderName } from "./IdentityProvider.ts"
import * as OauthState from "./OauthState.ts"
import { Sessions } from "./Sessions.ts"
import type { Network } from "./SignIn.ts"

/**
 * - `state`: not begun in this browser, at another provider, or too long ago.
 * - `refused`: the person or the provider said no.
 * - `email`: the provider has verified no address.
 * - `signups_disabled`, `too_many_attempts`: the address is new here, and no account may be made for it.
 * - `provider`: it does not answer as it should.
 */
export const oauthFailures = ["state", "refused", "email", "signups_disabled", "provider", "too_many_attempts"] as const
export type OauthFailure = (typeof oauthFailures)[number]

export class OauthFailed extends Data.TaggedError("OauthFailed")<{ readonly reason: OauthFailure }> {}

/** What a provider's redirect brings. */
export interface Callback {
  readonly state: string
  readonly code: string
  readonly error: string
}

type Token = Redacted.Redacted<string>

export class Oauth extends Context.Service<
  Oauth,
  {
    readonly configured: { readonly [P in ProviderName]: boolean }
    /** Where to send the person, and what to keep in a cookie until they return. None: not configured. */
    readonly begin: (
      provider: ProviderName,
      returnTo: string
    ) => Effect.Effect<Option.Option<{ readonly url: string; readonly verifier: Token }>>
    /**
     * A session for the account of the address that the provider has verified, which is made when there is none. An
     * account whose own address was never confirmed loses its password and its sessions: anybody could have made it.
     */
    readonly finish: (
      provider: ProviderName,
      callback: Callback,
      verifier: Token,
      network: Network
    ) => Effect.Effect<{ readonly token: Token; readonly returnTo: string }, OauthFailed>
  }
>()("@posthorn/core/accounts/Oauth") {}

const kinds = { github: "GITHUB_OAUTH", google: "GOOGLE_OAUTH" } as const

const decodeEmail = Schema.decodeUnknownOption(Email)

const failed = (reason: OauthFailure) => new OauthFailed({ reason })

type Needs =
  | AccountStore
  | Attempts
  | AuditLog
  | Digest.Digest
  | Kdf.Kdf
  | Secrets
  | SecureRandom.SecureRandom
  | Sessions

export const layer: Layer.Layer<Oauth, never, Needs> = Layer.effect(
  Oauth,
  Effect.gen(function* () {
    const store = yield* AccountStore
    const attempts = yield* Attempts
    const audit = yield* AuditLog
    const providers = yield* IdentityProviders
    const random = yield* SecureRandom.SecureRandom
    const sessions = yield* Sessions
    const states = yield* OauthState.make
    const { publicUrl, signupsDisabled } = yield* Settings

    const redirectUri = (provider: ProviderName) => `${publicUrl}/oauth/${provider}/callback`

    const begin = Effect.fn("Oauth.begin")(function* (provider: ProviderName, returnTo: string) {
      const found = providers[provider]
      if (found === undefined) return Option.none()
      const { state, challenge, verifier } = yield* states.begin(provider, returnTo)
      const url = found.authorizationUrl({ state, challenge, redirectUri: redirectUri(provider) })
      return Option.some({ url, verifier })
    })

    const insert = Effect.fnUntraced(function* (provider: ProviderName, email: string, network: Network) {
      const now = yield* DateTime.now
      if (signupsDisabled) return yield* failed("signups_disabled")
      const wait = network === undefined ? Option.none() : yield* attempts.take(limits.signup, network, now)
      if (Option.isSome(wait)) return yield* failed("too_many_attempts")
      const id = AccountId.make(yield* random.uuidV7())
      const row = { id, email, emailVerified: true, type: kinds[provider], passwordHash: null }
      return Option.map(yield* store.insert(row, now), () => ({ id, sessionVersion: 1 }))
    })

    /** Where another request makes the account at the same time, it is there the second time. */
    const accountOf = Effect.fnUntraced(function* (provider: ProviderName, email: string, network: Network) {
      const adopted = yield* store.adopt(email, yield* DateTime.now)
      if (Option.isSome(adopted)) return adopted.value
      const made = yield* insert(provider, email, network)
      if (Option.isSome(made)) return made.value
      return yield* Effect.orDie(Effect.fromOption(yield* store.adopt(email, yield* DateTime.now)))
    })

    const finish = Effect.fn("Oauth.finish")(function* (
      provider: ProviderName,
      { state, code, error }: Callback,
      verifier: Token,
      network: Network
    ) {
      const found = providers[provider]
      const returnTo = yield* states.returnTo(provider, state, verifier)
      if (found === undefined || Option.isNone(returnTo)) return yield* failed("state")
      if (error !== "" || code === "") return yield* failed("refused")
      const grant = { code: Redacted.make(code), verifier, redirectUri: redirectUri(provider) }
      const given = yield* found.verifiedEmail(grant).pipe(
        Effect.tapError(({ reason }) => Effect.logWarning("An identity provider failed", { provider, reason })),
        Effect.mapError(() => failed("provider"))
      )
      const email = Option.flatMap(given, decodeEmail)
      if (Option.isNone(email)) return yield* failed("email")
      const account = yield* accountOf(provider, email.value, network)
      yield* audit.loggedIn(account.id)
      const token = yield* sessions.open(account)
      return { token, returnTo: returnTo.value }
    })

    const configured = { github: providers.github !== undefined, google: providers.google !== undefined }
    return Oauth.of({ configured, begin, finish })
  })
)

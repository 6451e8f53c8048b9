/** Sign-in with an account at an identity provider. */
import { AccountId } from "@posthorn/contract/platform/Auth"
import { EmailAddress } from "@posthorn/contract/platform/Primitives"
import { Context, Data, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { type Digest, type Kdf, SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { recordLogin } from "../../platform/audit/AuditLog.ts"
import type { Secrets } from "../../platform/Secrets.ts"
import { Settings } from "../../platform/Settings.ts"
import { AccountStore } from "./AccountStore.ts"
import * as Attempts from "./Attempts.ts"
import { IdentityProviders, type ProviderFailed, type ProviderName } from "./IdentityProvider.ts"
import * as OauthState from "./OauthState.ts"
import { Sessions } from "./Sessions.ts"
import { type Network, SignIn } from "./SignIn.ts"
import { signups } from "./Signups.ts"

/**
 * - `state`: the sign-in was not started in this browser or for this provider, or it has expired.
 * - `refused`: the user or the provider refused.
 * - `email`: the provider has not verified an address.
 * - `signups_disabled`, `too_many_attempts`: the address has no account, and none may be created.
 * - `provider`: the provider did not answer as expected.
 */
export const oauthFailures = ["state", "refused", "email", "signups_disabled", "provider", "too_many_attempts"] as const
export type OauthFailure = (typeof oauthFailures)[number]

export class OauthFailed extends Data.TaggedError("OauthFailed")<{ readonly reason: OauthFailure }> {}

/** The account has two factors on. The login waits for the second factor; `token` continues it. */
export class OauthWaits extends Data.TaggedError("OauthWaits")<{ readonly token: string; readonly returnTo: string }> {}

/** The parameters of the provider's redirect. */
export interface Callback {
  readonly state: string
  readonly code: string
  readonly error: string
  readonly issuer: string
}

type Token = Redacted.Redacted<string>

/** A service, because it needs the identity providers of the host, which handlers and pages do not see. */
export class Oauth extends Context.Service<
  Oauth,
  {
    /**
     * As `GET /config` and `GET /auth/oauth-config` show it: a deployment without OpenID Connect has no field for it.
     */
    readonly configured: { readonly github: boolean; readonly google: boolean; readonly oidc?: true }
    /** Display names. Undefined for a provider that is not configured. */
    readonly labels: { readonly [P in ProviderName]: string | undefined }
    /**
     * The page to send the user to, and the value to keep in a cookie until the user returns. None: the provider is not
     * configured.
     */
    readonly begin: (
      provider: ProviderName,
      returnTo: string
    ) => Effect.Effect<Option.Option<{ readonly url: string; readonly verifier: Token }>, OauthFailed>
    /**
     * Opens a session for the account of the address that the provider has verified. Creates the account when there is
     * none. An account whose own address was never confirmed loses its password and its sessions, since anyone could
     * have created it.
     */
    readonly finish: (
      provider: ProviderName,
      callback: Callback,
      verifier: Token,
      network: Network
    ) => Effect.Effect<{ readonly token: Token; readonly returnTo: string }, OauthFailed | OauthWaits>
  }
>()("@posthorn/core/accounts/people/Oauth") {}

const kinds = { github: "GITHUB_OAUTH", google: "GOOGLE_OAUTH", oidc: "OIDC" } as const

const decodeEmail = Schema.decodeUnknownOption(EmailAddress)

const failed = (reason: OauthFailure) => new OauthFailed({ reason })

type Needs =
  | AccountStore
  | Digest.Digest
  | Kdf.Kdf
  | Secrets
  | SecureRandom.SecureRandom
  | Sessions
  | SignIn
  | SqlClient.SqlClient

export const layer: Layer.Layer<Oauth, never, Needs> = Layer.effect(
  Oauth,
  Effect.gen(function* () {
    const store = yield* AccountStore
    const attempts = yield* Attempts.make
    const sql = yield* SqlClient.SqlClient
    const providers = yield* IdentityProviders
    const random = yield* SecureRandom.SecureRandom
    const { twoFactors } = yield* SignIn
    const sessions = yield* Sessions
    const states = yield* OauthState.make
    const open = yield* signups(store)
    const { publicUrl } = yield* Settings

    const redirectUri = (provider: ProviderName) => `${publicUrl}/oauth/${provider}/callback`

    const answerOf = <A>(provider: ProviderName, asked: Effect.Effect<A, ProviderFailed>) =>
      asked.pipe(
        Effect.tapError(({ reason }) => Effect.logWarning("An identity provider failed", { provider, reason })),
        Effect.mapError(() => failed("provider"))
      )

    const begin = Effect.fn("Oauth.begin")(function* (provider: ProviderName, returnTo: string) {
      const found = providers[provider]
      if (found === undefined) return Option.none()
      const { state, challenge, verifier } = yield* states.begin(provider, returnTo)
      const request = { state, challenge, redirectUri: redirectUri(provider) }
      const url = yield* answerOf(provider, found.authorizationUrl(request))
      return Option.some({ url, verifier })
    })

    const insert = Effect.fnUntraced(function* (provider: ProviderName, email: string, network: Network) {
      const now = yield* DateTime.now
      if (!(yield* open.isOpen)) return yield* failed("signups_disabled")
      const wait = network === undefined ? Option.none() : yield* attempts.take(Attempts.limits.signup, network, now)
      if (Option.isSome(wait)) return yield* failed("too_many_attempts")
      const id = AccountId.make(yield* random.uuidV7())
      const row = { id, email, emailVerified: true, type: kinds[provider], passwordHash: null }
      return Option.map(yield* open.insert(row, now), () => ({ id, sessionVersion: 1 }))
    })

    /**
     * When a concurrent request has created the account, the second `adopt` finds it. Otherwise another account was
     * created first, and the setting `first` allows no more.
     */
    const accountOf = Effect.fnUntraced(function* (provider: ProviderName, email: string, network: Network) {
      const adopted = yield* store.adopt(email, yield* DateTime.now)
      if (Option.isSome(adopted)) return adopted.value
      const made = yield* insert(provider, email, network)
      if (Option.isSome(made)) return made.value
      const other = yield* store.adopt(email, yield* DateTime.now)
      return Option.isSome(other) ? other.value : yield* failed("signups_disabled")
    })

    const finish = Effect.fn("Oauth.finish")(function* (
      provider: ProviderName,
      { state, code, error, issuer }: Callback,
      verifier: Token,
      network: Network
    ) {
      const found = providers[provider]
      const returnTo = yield* states.returnTo(provider, state, verifier)
      if (found === undefined || Option.isNone(returnTo)) return yield* failed("state")
      if (error !== "" || code === "") return yield* failed("refused")
      const given = yield* answerOf(
        provider,
        found.verifiedEmail({
          code: Redacted.make(code),
          verifier,
          redirectUri: redirectUri(provider),
          issuer: issuer === "" ? undefined : issuer
        })
      )
      const email = Option.flatMap(given, decodeEmail)
      if (Option.isNone(email)) return yield* failed("email")
      const account = yield* accountOf(provider, email.value, network)
      const asked = yield* twoFactors.ask({ user: account.id, sessionVersion: account.sessionVersion })
      if (Option.isSome(asked)) return yield* new OauthWaits({ token: asked.value.token, returnTo: returnTo.value })
      yield* recordLogin(sql, account.id)
      const token = yield* sessions.open(account)
      return { token, returnTo: returnTo.value }
    })

    const labels = {
      github: providers.github?.label,
      google: providers.google?.label,
      oidc: providers.oidc?.label
    }
    const configured = {
      github: labels.github !== undefined,
      google: labels.google !== undefined,
      ...(labels.oidc !== undefined && { oidc: true as const })
    }
    return Oauth.of({ configured, labels, begin, finish })
  })
)

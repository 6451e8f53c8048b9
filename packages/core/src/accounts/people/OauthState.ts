/**
 * The state of a sign-in at a provider. It is signed, valid for 10 minutes, and only valid with the cookie of the
 * browser that started the sign-in.
 *
 * The cookie holds the PKCE verifier (RFC 7636 4.1). The state holds only the challenge, so the provider does not see
 * the verifier.
 */
import { DateTime, Duration, Effect, Option, Redacted, Schema } from "effect"
import { Digest, type Kdf, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { SignJWT } from "jose"
import type { Secrets } from "../../platform/Secrets.ts"
import { identityProviders, type ProviderName } from "./IdentityProvider.ts"
import { jwts } from "./Jwts.ts"

export const stateLifetime = Duration.minutes(10)
/** A state has a few hundred characters plus the path to return to. */
const longestState = 8_192

const decodeClaims = Schema.decodeUnknownOption(
  Schema.Struct({
    provider: Schema.Literals(identityProviders),
    returnTo: Schema.String,
    challenge: Schema.String,
    exp: Schema.Int
  })
)

export interface Begun {
  readonly state: string
  readonly challenge: string
  /** The value of the cookie. */
  readonly verifier: Redacted.Redacted<string>
}

export interface OauthState {
  readonly begin: (provider: ProviderName, returnTo: string) => Effect.Effect<Begun>
  /** The path to return to, if this browser started the sign-in at this provider and the state has not expired. */
  readonly returnTo: (
    provider: ProviderName,
    state: string,
    verifier: Redacted.Redacted<string>
  ) => Effect.Effect<Option.Option<string>>
}

export const make: Effect.Effect<OauthState, never, Digest.Digest | Kdf.Kdf | SecureRandom.SecureRandom | Secrets> =
  Effect.gen(function* () {
    const random = yield* SecureRandom.SecureRandom
    const digest = yield* Digest.Digest
    const { read, sign } = yield* jwts("posthorn/oauth-state", longestState)

    const challengeOf = (verifier: Redacted.Redacted<string>) =>
      Effect.map(digest.digest(Digest.sha256, new TextEncoder().encode(Redacted.value(verifier))), (hash) =>
        Base64Url.encode(hash)
      )

    const begin = Effect.fn("OauthState.begin")(function* (provider: ProviderName, returnTo: string) {
      const verifier = Redacted.make(Base64Url.encode(yield* random.randomBytes(32)))
      const challenge = yield* challengeOf(verifier)
      const until = DateTime.addDuration(yield* DateTime.now, stateLifetime)
      const jwt = new SignJWT({ provider, returnTo, challenge }).setExpirationTime(
        Math.floor(DateTime.toEpochMillis(until) / 1000)
      )
      return { state: yield* sign(jwt), challenge, verifier }
    })

    const returnTo = Effect.fn("OauthState.returnTo")(function* (
      provider: ProviderName,
      state: string,
      verifier: Redacted.Redacted<string>
    ) {
      const claims = Option.flatMap(yield* read(state), ({ payload }) => decodeClaims(payload))
      if (Option.isNone(claims) || claims.value.provider !== provider) return Option.none<string>()
      return claims.value.challenge === (yield* challengeOf(verifier))
        ? Option.some(claims.value.returnTo)
        : Option.none<string>()
    })

    return { begin, returnTo }
  })

/**
 * The state of a sign-in that is under way at a provider: signed, good for 10 minutes, and only with the cookie of the
 * browser that began it (contract-2 9.3).
 *
 * The cookie holds the PKCE verifier (RFC 7636 4.1), and the state its challenge: what the provider gets to see of it.
 */
import { DateTime, Duration, Effect, Option, Redacted, Schema } from "effect"
import { Digest, type Kdf, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { SignJWT } from "jose"
import type { Secrets } from "../Secrets.ts"
import { identityProviders, type ProviderName } from "./IdentityProvider.ts"
import { jwts } from "./Jwts.ts"

export const lifetime = Duration.minutes(10)
/** Ours have some hundred characters, and as many more as the path to return to. */
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
  /** For the cookie. */
  readonly verifier: Redacted.Redacted<string>
}

export interface OauthState {
  readonly begin: (provider: ProviderName, returnTo: string) => Effect.Effect<Begun>
  /** Where to return to, if this browser began it at this provider, and not too long ago. */
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
    const { payloadOf, sign } = yield* jwts("posthorn/oauth-state", longestState)

    const challengeOf = (verifier: Redacted.Redacted<string>) =>
      Effect.map(digest.digest(Digest.sha256, new TextEncoder().encode(Redacted.value(verifier))), (hash) =>
        Base64Url.encode(hash)
      )

    const begin = Effect.fn("OauthState.begin")(function* (provider: ProviderName, returnTo: string) {
      const verifier = Redacted.make(Base64Url.encode(yield* random.randomBytes(32)))
      const challenge = yield* challengeOf(verifier)
      const until = DateTime.addDuration(yield* DateTime.now, lifetime)
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
      const claims = Option.flatMap(yield* payloadOf(state), decodeClaims)
      if (Option.isNone(claims) || claims.value.provider !== provider) return Option.none<string>()
      return claims.value.challenge === (yield* challengeOf(verifier))
        ? Option.some(claims.value.returnTo)
        : Option.none<string>()
    })

    return { begin, returnTo }
  })

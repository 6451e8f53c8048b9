/** JWTs that this installation signs and verifies itself, with HS256 only (RFC 7515, RFC 7518 3.2). */
import { DateTime, Effect, Option, Redacted } from "effect"
import { Kdf } from "effect/crypto"
import { type JWTPayload, jwtVerify, type SignJWT } from "jose"
import { Secrets } from "../../platform/Secrets.ts"

const algorithm = "HS256"
const utf8 = new TextEncoder()

export interface ReadJwt {
  readonly payload: JWTPayload
  /** A previous secret signed the token. Replace the token while that secret is still configured. */
  readonly isOfPrevious: boolean
}

export interface Jwts {
  readonly sign: (jwt: SignJWT) => Effect.Effect<string>
  /** The claims of a token that was signed here for this purpose and has not expired by the clock of the service. */
  readonly read: (token: string) => Effect.Effect<Option.Option<ReadJwt>>
}

/**
 * Signs and verifies the JWTs of one purpose, such as `posthorn/session`. Tokens of another purpose fail. Keys are
 * HKDF-SHA-256 of the installation's secret (RFC 5869). Previous secrets verify while they are configured, and never
 * sign. A token longer than `longest` characters is refused without parsing.
 */
export const jwts = Effect.fnUntraced(function* (
  purpose: string,
  longest: number
): Effect.fn.Return<Jwts, never, Kdf.Kdf | Secrets> {
  const kdf = yield* Kdf.Kdf
  const { current, previous } = yield* Secrets
  const keyOf = (secret: Redacted.Redacted<string>) =>
    Effect.orDie(
      kdf.derive(Kdf.hkdfSha256, utf8.encode(Redacted.value(secret)), {
        salt: new Uint8Array(),
        info: utf8.encode(purpose),
        length: 32
      })
    )
  const signing = yield* keyOf(current)
  const verifying = [signing, ...(yield* Effect.forEach(previous, keyOf))]

  const read = Effect.fnUntraced(function* (token: string) {
    if (token.length > longest) return Option.none<ReadJwt>()
    const currentDate = DateTime.toDate(yield* DateTime.now)
    for (const key of verifying) {
      const verified = yield* Effect.option(
        Effect.tryPromise(() => jwtVerify(token, key, { algorithms: [algorithm], currentDate }))
      )
      if (Option.isSome(verified)) {
        return Option.some({ payload: verified.value.payload, isOfPrevious: key !== signing })
      }
    }
    return Option.none<ReadJwt>()
  })

  return {
    sign: (jwt) => Effect.promise(() => jwt.setProtectedHeader({ alg: algorithm }).sign(signing)),
    read
  }
})

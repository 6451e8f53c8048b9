/** JWTs that this installation makes and reads itself: signed with HS256 and nothing else (RFC 7515, RFC 7518 3.2). */
import { DateTime, Effect, Option, Redacted } from "effect"
import { Kdf } from "effect/crypto"
import { type JWTPayload, jwtVerify, type SignJWT } from "jose"
import { Secrets } from "../Secrets.ts"

const algorithm = "HS256"
const utf8 = new TextEncoder()

export interface Jwts {
  readonly sign: (jwt: SignJWT) => Effect.Effect<string>
  /** What a token says, if it was signed here for this purpose and has not expired by the clock of the service. */
  readonly payloadOf: (token: string) => Effect.Effect<Option.Option<JWTPayload>>
}

/**
 * The JWTs of one purpose, as `posthorn/session`: those of another purpose are none of them. Keys are HKDF-SHA-256 of
 * the installation's secret (RFC 5869); the previous secret verifies while it is configured, and never signs. A token
 * of more than `longest` characters is not looked at.
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
  const verifying = [signing, ...(Option.isSome(previous) ? [yield* keyOf(previous.value)] : [])]

  const payloadOf = Effect.fnUntraced(function* (token: string) {
    if (token.length > longest) return Option.none<JWTPayload>()
    const currentDate = DateTime.toDate(yield* DateTime.now)
    for (const key of verifying) {
      const verified = yield* Effect.option(
        Effect.tryPromise(() => jwtVerify(token, key, { algorithms: [algorithm], currentDate }))
      )
      if (Option.isSome(verified)) return Option.some(verified.value.payload)
    }
    return Option.none<JWTPayload>()
  })

  return {
    sign: (jwt) => Effect.promise(() => jwt.setProtectedHeader({ alg: algorithm }).sign(signing)),
    payloadOf
  }
})

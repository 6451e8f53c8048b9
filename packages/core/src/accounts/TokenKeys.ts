/** Keys for tokens that this installation signs and reads itself: HKDF-SHA-256 of its secret, one for each purpose. */
import { Effect, Option, Redacted } from "effect"
import { Kdf } from "effect/crypto"
import { Secrets } from "../Secrets.ts"

export interface TokenKeys {
  readonly signing: Uint8Array
  /** The signing key and, while it is configured, that of the previous secret, which verifies and never signs. */
  readonly verifying: ReadonlyArray<Uint8Array>
}

const utf8 = new TextEncoder()

/** `posthorn/session`: tokens of one purpose are no tokens of another. */
export const tokenKeys = Effect.fnUntraced(function* (
  purpose: string
): Effect.fn.Return<TokenKeys, never, Kdf.Kdf | Secrets> {
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
  return { signing, verifying: [signing, ...(Option.isSome(previous) ? [yield* keyOf(previous.value)] : [])] }
})

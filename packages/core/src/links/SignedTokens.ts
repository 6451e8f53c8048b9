/**
 * Tokens that recipients carry: base64url(payload) `.` base64url(HMAC-SHA-256, first 16 bytes) (contract 8.4).
 *
 * The kind of a token is part of its key, so none passes for one of another kind. The secret before the current one
 * still opens what it sealed.
 */
import { Array, Effect, Option, Redacted, Result } from "effect"
import { Mac } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { Secrets } from "../Secrets.ts"

export interface SignedTokens {
  /** `covered` is signed along and not carried: the token is good for it alone. */
  readonly seal: (payload: Uint8Array, covered?: string) => Effect.Effect<string>
  /** The payload of a token to the letter as it was sealed; none for any other text. */
  readonly open: (token: string, covered?: string) => Effect.Effect<Option.Option<Uint8Array>>
}

const tagBytes = 16
const maxToken = 200

const utf8 = new TextEncoder()

const withCovered = (payload: Uint8Array, covered: string): Uint8Array => {
  if (covered === "") return payload
  const more = utf8.encode(covered)
  const all = new Uint8Array(payload.length + more.length)
  all.set(payload)
  all.set(more, payload.length)
  return all
}

export const make = Effect.fnUntraced(function* (
  kind: string
): Effect.fn.Return<SignedTokens, never, Mac.Mac | Secrets> {
  const mac = yield* Mac.Mac
  const { current, previous } = yield* Secrets
  const keyOf = (secret: Redacted.Redacted<string>) =>
    Effect.orDie(Mac.key(Mac.hmacSha256, utf8.encode(`${kind}:${Redacted.value(secret)}`)))
  const sealing = yield* keyOf(current)
  const believed = [sealing, ...(yield* Effect.forEach(Option.toArray(previous), keyOf))]

  const sealWith = (key: Mac.Key, payload: Uint8Array, covered: string) =>
    Effect.map(
      Effect.orDie(mac.sign(key, withCovered(payload, covered))),
      (tag) => `${Base64Url.encode(payload)}.${Base64Url.encode(tag.subarray(0, tagBytes))}`
    )

  const open = Effect.fnUntraced(function* (token: string, covered = "") {
    if (token.length > maxToken) return Option.none()
    const payload = Option.filter(
      Result.getSuccess(Base64Url.decode(token.split(".", 1)[0] ?? "")),
      ({ length }) => length > 0
    )
    if (Option.isNone(payload)) return Option.none()
    // As text: base64 has several spellings of some bytes, and only one of them was given out.
    const given = utf8.encode(token)
    const genuine = yield* Effect.forEach(believed, (key) => sealWith(key, payload.value, covered))
    return Array.some(genuine, (text) => Mac.timingSafeEqual(utf8.encode(text), given)) ? payload : Option.none()
  })

  return { seal: (payload, covered = "") => sealWith(sealing, payload, covered), open }
})

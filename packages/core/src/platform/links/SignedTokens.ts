/**
 * Signed and encrypted tokens for recipients: base64url(tag, ciphertext).
 *
 * Authenticated and deterministic, after the synthetic IV of RFC 5297. The tag is HMAC-SHA-512 of the payload and the
 * covered text, cut to 16 bytes. The ciphertext is the payload XOR HMAC-SHA-512 of the tag under a second key; a payload
 * longer than that has a second HMAC, of the tag and a 1. So an email that is built again has the same links, and a token needs only two primitives.
 *
 * The kind of a token is part of its keys, so a token of one kind is not valid as another kind. Previous secrets still
 * open what they sealed. So do tokens of the earlier form: base64url(payload) `.` base64url(HMAC-SHA-256, first 16
 * bytes).
 */
import { Array, Effect, Option, Redacted, Result } from "effect"
import { Mac } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { Secrets } from "../Secrets.ts"

export interface SignedTokens {
  /** `covered` is authenticated but not part of the token: the token is valid only together with it. */
  readonly seal: (payload: Uint8Array, covered?: string) => Effect.Effect<string>
  /** The payload of a token, exactly as it was sealed. None for any other text. */
  readonly open: (token: string, covered?: string) => Effect.Effect<Option.Option<Uint8Array>>
}

const tagBytes = 16
/** The length of one HMAC-SHA-512. */
const streamBytes = 64
const maxPayload = 2 * streamBytes
const maxToken = 200

const utf8 = new TextEncoder()

const joined = (...parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** XOR: the same call restores the payload. */
const hidden = (payload: Uint8Array, stream: Uint8Array): Uint8Array =>
  payload.map((byte, n) => byte ^ (stream[n] ?? 0))

export const make = Effect.fnUntraced(function* (
  kind: string
): Effect.fn.Return<SignedTokens, never, Mac.Mac | Secrets> {
  const mac = yield* Mac.Mac
  const { current, previous } = yield* Secrets
  const key = (algorithm: Mac.Algorithm, text: string) => Effect.orDie(Mac.key(algorithm, utf8.encode(text)))
  const keysOf = (secret: Redacted.Redacted<string>) =>
    Effect.all({
      tagging: key(Mac.hmacSha512, `${kind} tag:${Redacted.value(secret)}`),
      hiding: key(Mac.hmacSha512, `${kind} stream:${Redacted.value(secret)}`),
      signing: key(Mac.hmacSha256, `${kind}:${Redacted.value(secret)}`)
    })
  type Keys = Effect.Success<ReturnType<typeof keysOf>>
  const sealing = yield* keysOf(current)
  const believed = [sealing, ...(yield* Effect.forEach(previous, keysOf))]
  const sign = (key: Mac.Key, ...parts: ReadonlyArray<Uint8Array>) => Effect.orDie(mac.sign(key, joined(...parts)))

  /** The length separates the payload from the covered text. */
  const tagOf = ({ tagging }: Keys, payload: Uint8Array, covered: string) =>
    Effect.map(sign(tagging, Uint8Array.of(payload.length), payload, utf8.encode(covered)), (tag) =>
      tag.subarray(0, tagBytes)
    )

  /** As long as the payload, or longer. */
  const streamOf = ({ hiding }: Keys, tag: Uint8Array, length: number) =>
    length <= streamBytes
      ? sign(hiding, tag)
      : Effect.zipWith(sign(hiding, tag), sign(hiding, tag, Uint8Array.of(1)), (first, second) => joined(first, second))

  // Not a generator: every link of every email is sealed here, and a generator costs as much as the tag.
  const seal = (payload: Uint8Array, covered = "") => {
    if (payload.length > maxPayload) return Effect.die(new Error("The payload of a token is too long."))
    return Effect.flatMap(tagOf(sealing, payload, covered), (tag) =>
      Effect.map(streamOf(sealing, tag, payload.length), (stream) =>
        Base64Url.encode(joined(tag, hidden(payload, stream)))
      )
    )
  }

  const openWith = Effect.fnUntraced(function* (keys: Keys, bytes: Uint8Array, covered: string) {
    const tag = bytes.subarray(0, tagBytes)
    const sealed = bytes.subarray(tagBytes)
    const payload = hidden(sealed, yield* streamOf(keys, tag, sealed.length))
    const isGenuine = Mac.timingSafeEqual(yield* tagOf(keys, payload, covered), tag)
    return isGenuine ? Option.some(payload) : Option.none()
  })

  const openSealed = Effect.fnUntraced(function* (token: string, covered: string) {
    const bytes = Result.getSuccess(Base64Url.decode(token))
    if (Option.isNone(bytes)) return Option.none()
    const { length } = bytes.value
    if (length <= tagBytes || length > tagBytes + maxPayload) return Option.none()
    // Base64 has several spellings of some bytes. Only the one that was issued is valid.
    if (Base64Url.encode(bytes.value) !== token) return Option.none()
    return Option.firstSomeOf(yield* Effect.forEach(believed, (keys) => openWith(keys, bytes.value, covered)))
  })

  /** Tokens of emails that were sent before ids were encrypted. */
  const openSigned = Effect.fnUntraced(function* (token: string, covered: string) {
    const payload = Option.filter(
      Result.getSuccess(Base64Url.decode(token.split(".", 1)[0] ?? "")),
      ({ length }) => length > 0
    )
    if (Option.isNone(payload)) return Option.none()
    const given = utf8.encode(token)
    const genuine = yield* Effect.forEach(believed, ({ signing }) =>
      Effect.map(
        sign(signing, payload.value, utf8.encode(covered)),
        (tag) => `${Base64Url.encode(payload.value)}.${Base64Url.encode(tag.subarray(0, tagBytes))}`
      )
    )
    return Array.some(genuine, (text) => Mac.timingSafeEqual(utf8.encode(text), given)) ? payload : Option.none()
  })

  const open = (token: string, covered = ""): Effect.Effect<Option.Option<Uint8Array>> => {
    if (token.length > maxToken) return Effect.succeed(Option.none())
    return token.includes(".") ? openSigned(token, covered) : openSealed(token, covered)
  }

  return { seal, open }
})

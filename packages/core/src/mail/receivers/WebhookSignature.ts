/**
 * Signs and verifies requests by the Standard Webhooks convention: `webhook-signature` has values of the form `v1,<base64 of
 * HMAC-SHA256>`, separated by blanks, over `<webhook-id>.<webhook-timestamp>.<body>`.
 */
import { Clock, DateTime, Duration, Effect, Redacted, Result } from "effect"
import { Mac } from "effect/crypto"
import { Base64 } from "effect/encoding"

/** How far a timestamp may be in the past or in the future. */
const tolerance = Duration.minutes(5)

const utf8 = new TextEncoder()

/** The base64 after `whsec_`. Any other secret is used as text. */
const keyBytes = (secret: string): Uint8Array => {
  const decoded = secret.startsWith("whsec_") ? Base64.decode(secret.slice("whsec_".length)) : undefined
  return decoded !== undefined && Result.isSuccess(decoded) ? decoded.success : utf8.encode(secret)
}

const signed = (id: string, timestamp: string, body: Uint8Array): Uint8Array => {
  const head = utf8.encode(`${id}.${timestamp}.`)
  const all = new Uint8Array(head.length + body.length)
  all.set(head)
  all.set(body, head.length)
  return all
}

const keyOf = (secret: Redacted.Redacted<string>) =>
  Effect.orDie(Mac.key(Mac.hmacSha256, keyBytes(Redacted.value(secret))))

/** One value of `webhook-signature`. */
export const sign = Effect.fnUntraced(function* (
  secret: Redacted.Redacted<string>,
  id: string,
  timestamp: number,
  body: Uint8Array
) {
  const key = yield* keyOf(secret)
  const tag = yield* Mac.Mac.use((mac) => Effect.orDie(mac.sign(key, signed(id, String(timestamp), body))))
  return `v1,${Base64.encode(tag)}`
})

/** The headers that sign a request, with one signature for each secret. */
export const signatureHeaders = Effect.fnUntraced(function* (
  secrets: ReadonlyArray<Redacted.Redacted<string>>,
  id: string,
  body: Uint8Array
) {
  const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
  const signatures = yield* Effect.forEach(secrets, (secret) => sign(secret, id, timestamp, body))
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" ")
  }
})

export interface SignedHeaders {
  readonly id: string | undefined
  /** Unix seconds. */
  readonly timestamp: string | undefined
  readonly signature: string | undefined
}

/** True if one of the signatures is right and the time is within the tolerance. Compares in constant time. */
export const verify = Effect.fnUntraced(function* (
  secret: Redacted.Redacted<string>,
  { id, timestamp, signature }: SignedHeaders,
  body: Uint8Array
) {
  if (!id || id.length > 255 || !timestamp || !/^\d{1,12}$/.test(timestamp) || !signature) return false
  const sentAt = DateTime.makeUnsafe(Number(timestamp) * 1_000)
  const off = Duration.abs(DateTime.distance(sentAt, yield* DateTime.now))
  if (Duration.isGreaterThan(off, tolerance)) return false
  const key = yield* keyOf(secret)
  const mac = yield* Mac.Mac
  const data = signed(id, timestamp, body)
  for (const given of signature.split(" ").slice(0, 10)) {
    const tag = given.startsWith("v1,") ? Base64.decode(given.slice(3)) : undefined
    if (tag !== undefined && Result.isSuccess(tag) && (yield* Effect.orDie(mac.verify(key, tag.success, data)))) {
      return true
    }
  }
  return false
})

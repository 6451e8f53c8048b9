/**
 * The envelope sender, which tells a bounce's mail by itself (VERP; contract-2 6.2, rulings 19).
 *
 * `bounces+<token>@...`: 16 bytes of the email's id and 8 of an HMAC, in base32 (RFC 4648 section 6) in lower case, as
 * some hosts fold the case of a local part; 47 octets of the 64 that RFC 5321 allows.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { Mac } from "effect/crypto"
import { uuidBytes } from "../links/Ids.ts"
import { Secrets } from "../Secrets.ts"
import { Settings } from "../Settings.ts"
import { senderDomain } from "./MessageId.ts"

export class ReturnPath extends Context.Service<
  ReturnPath,
  {
    /** The address that takes the bounces of a mail: below its own domain, else of the installation, else From. */
    readonly of: (mail: {
      readonly id: string
      readonly from: string
      readonly ownReturnPath: boolean
    }) => Effect.Effect<string>
  }
>()("@posthorn/core/sending/ReturnPath") {}

const alphabet = "abcdefghijklmnopqrstuvwxyz234567"

export const base32 = (bytes: Uint8Array): string => {
  let text = ""
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += alphabet.charAt((held >>> (bits - 5)) & 31)
    held &= (1 << bits) - 1
  }
  return bits > 0 ? text + alphabet.charAt((held << (5 - bits)) & 31) : text
}

export const layer: Layer.Layer<ReturnPath, never, Mac.Mac | Secrets> = Layer.effect(
  ReturnPath,
  Effect.gen(function* () {
    const mac = yield* Mac.Mac
    const { current } = yield* Secrets
    const { bounceDomain, returnPathLabel } = yield* Settings
    const utf8 = new TextEncoder()
    const key = yield* Effect.orDie(Mac.key(Mac.hmacSha256, utf8.encode(`return-path:${Redacted.value(current)}`)))

    const token = Effect.fnUntraced(function* (id: string) {
      const bytes = uuidBytes(id)
      const tag = yield* Effect.orDie(mac.sign(key, bytes))
      return base32(new Uint8Array([...bytes, ...tag.subarray(0, 8)]))
    })

    return ReturnPath.of({
      of: Effect.fnUntraced(function* ({ id, from, ownReturnPath }) {
        const host = ownReturnPath ? `${returnPathLabel}.${senderDomain(from)}` : bounceDomain
        return host === undefined ? from : `bounces+${yield* token(id)}@${host}`
      })
    })
  })
)

/**
 * The envelope sender, by which a bounce identifies its mail (VERP).
 *
 * The address is `bounces+<token>@...`. The token has the 16 bytes of the email's id and 8 bytes of an HMAC, in base32 (RFC
 * 4648 section 6), because some hosts change the case of a local part. The local part has 47 octets; RFC 5321 allows 64.
 * The address for DMARC reports about a domain has the same form, with the id of the domain.
 */

import { DomainId } from "@posthorn/contract/mail/domains/Domain"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { domainOf } from "@posthorn/contract/platform/Mailbox"
import { Context, Effect, Layer, Redacted } from "effect"
import { Mac } from "effect/crypto"
import { uuidBytes, uuidText } from "../../platform/links/Ids.ts"
import { Secrets } from "../../platform/Secrets.ts"
import { Settings } from "../../platform/Settings.ts"

/** Makes and reads return paths. A service, because the bounce listener of a host calls it. */
export class ReturnPath extends Context.Service<
  ReturnPath,
  {
    /** The address for bounces of a mail: below its sender domain, else at the bounce domain of the installation, else From. */
    readonly of: (mail: {
      readonly id: string
      readonly from: string
      readonly ownReturnPath: boolean
    }) => Effect.Effect<string>
    /**
     * The id of the mail that an address belongs to; `forged` for a token with a wrong signature, `other` for an address
     * that is not a return path.
     */
    readonly mailOf: (address: string) => Effect.Effect<EmailId | "forged" | "other">
    /** The address for DMARC reports about a domain, `dmarc+<token>@...`. Null without a bounce domain. */
    readonly reportAddress: (domain: DomainId) => Effect.Effect<string | null>
    /** The id of the domain that an address for reports belongs to; otherwise as `mailOf`. */
    readonly reportedDomain: (address: string) => Effect.Effect<DomainId | "forged" | "other">
  }
>()("@posthorn/core/mail/sending/ReturnPath") {}

const idBytes = 16
const tagBytes = 8
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

/** Undefined if the text has other characters. Bits that do not fill a byte are dropped. */
export const fromBase32 = (text: string): Uint8Array | undefined => {
  const bytes: Array<number> = []
  let bits = 0
  let held = 0
  for (const character of text.toLowerCase()) {
    const value = alphabet.indexOf(character)
    if (value < 0) return undefined
    held = (held << 5) | value
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >>> bits) & 255)
    held &= (1 << bits) - 1
  }
  return Uint8Array.from(bytes)
}

export const layer: Layer.Layer<ReturnPath, never, Mac.Mac | Secrets> = Layer.effect(
  ReturnPath,
  Effect.gen(function* () {
    const mac = yield* Mac.Mac
    const { current, previous } = yield* Secrets
    const { bounceDomain, returnPathLabel } = yield* Settings
    const utf8 = new TextEncoder()
    const keysFor = Effect.fnUntraced(function* (purpose: string) {
      const keyOf = (secret: Redacted.Redacted<string>) =>
        Effect.orDie(Mac.key(Mac.hmacSha256, utf8.encode(`${purpose}:${Redacted.value(secret)}`)))
      const key = yield* keyOf(current)
      return { key, keys: [key, ...(yield* Effect.forEach(previous, keyOf))] }
    })
    const bounces = yield* keysFor("return-path")
    const reports = yield* keysFor("dmarc-reports")

    const tagOf = (key: Mac.Key, id: Uint8Array) =>
      Effect.map(Effect.orDie(mac.sign(key, id)), (tag) => tag.subarray(0, tagBytes))

    const token = Effect.fnUntraced(function* (key: Mac.Key, id: string) {
      const bytes = uuidBytes(id)
      return base32(new Uint8Array([...bytes, ...(yield* tagOf(key, bytes))]))
    })

    const idOf = Effect.fnUntraced(function* (keys: ReadonlyArray<Mac.Key>, given: string | undefined) {
      if (given === undefined) return "other"
      const bytes = fromBase32(given)
      if (bytes?.length !== idBytes + tagBytes) return "forged"
      const id = bytes.subarray(0, idBytes)
      for (const each of keys) {
        const isRight = Mac.timingSafeEqual(bytes.subarray(idBytes), yield* tagOf(each, id))
        if (isRight) return { id: uuidText(id) }
      }
      return "forged"
    })

    const mailOf = (address: string) =>
      Effect.map(idOf(bounces.keys, /^bounces\+([^@]*)@/i.exec(address.trim())?.[1]), (found) =>
        typeof found === "string" ? found : EmailId.make(found.id)
      )

    const reportedDomain = (address: string) =>
      Effect.map(idOf(reports.keys, /^dmarc\+([^@]*)@/i.exec(address.trim())?.[1]), (found) =>
        typeof found === "string" ? found : DomainId.make(found.id)
      )

    return ReturnPath.of({
      mailOf,
      reportedDomain,
      reportAddress: (domain) =>
        bounceDomain === undefined
          ? Effect.succeed(null)
          : Effect.map(token(reports.key, domain), (token) => `dmarc+${token}@${bounceDomain}`),
      of: Effect.fnUntraced(function* ({ id, from, ownReturnPath }) {
        const host = ownReturnPath ? `${returnPathLabel}.${domainOf(from)}` : bounceDomain
        return host === undefined ? from : `bounces+${yield* token(bounces.key, id)}@${host}`
      })
    })
  })
)

/** For programs without the secret of the installation: they make no address, and no address belongs to a mail. */
export const layerWithoutSecret: Layer.Layer<ReturnPath> = Layer.succeed(ReturnPath, {
  of: ({ from }) => Effect.succeed(from),
  mailOf: () => Effect.succeed("other"),
  reportAddress: () => Effect.succeed(null),
  reportedDomain: () => Effect.succeed("other")
})

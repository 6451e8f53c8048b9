/**
 * DKIM signatures (RFC 6376), relaxed/relaxed, with rsa-sha256 and ed25519-sha256 (RFC 8463).
 *
 * Nodemailer's signer supports only RSA, signs on the main thread, cannot oversign, and sends a message unsigned if the
 * key is broken.
 */

import { hash, type KeyObject, sign } from "node:crypto"
import { CannotCompose, type DkimKey } from "@posthorn/core/platform/Mailer"
import { Effect } from "effect"
import type { Field } from "./HeaderField.ts"

/** Signed even if absent: a field that is named in `h=` but absent cannot be added later (section 5.4.2). */
const signedNames = [
  "From",
  "To",
  "Subject",
  "Date",
  "Message-ID",
  "Reply-To",
  "MIME-Version",
  "Content-Type",
  "List-Unsubscribe",
  "List-Unsubscribe-Post"
]

/** Signed if present. */
const isAlsoSigned = (name: string) => /^(cc|list-.+|feedback-id)$/i.test(name)

/** Named once more than they occur, so that no other one can be added (section 8.15). */
const isOversigned = (name: string) => /^(from|to|cc|subject|date|reply-to|list-.+)$/i.test(name)

const sameName = (a: string) => (b: string) => a.toLowerCase() === b.toLowerCase()

/** The `h=` list. If a name occurs several times, the verifier takes the last field first (section 5.4.2). */
const headerNames = (fields: ReadonlyArray<Field>): ReadonlyArray<string> => {
  const further = fields
    .map(({ name }) => name)
    .filter((name, position, all) => isAlsoSigned(name) && all.findIndex(sameName(name)) === position)
    .filter((name) => !signedNames.some(sameName(name)))
  return [...signedNames, ...further].flatMap((name) => {
    const occurrences = fields.filter((candidate) => sameName(name)(candidate.name)).length
    return Array.from({ length: Math.max(1, occurrences + (isOversigned(name) ? 1 : 0)) }, () => name)
  })
}

/** Relaxed header canonicalization (section 3.4.2). */
export const relaxedField = (wire: string): string => {
  const colon = wire.indexOf(":")
  const value = wire
    .slice(colon + 1)
    .replaceAll("\r\n", "")
    .replace(/[\t ]+/g, " ")
    .replace(/^ | $/g, "")
  return `${wire.slice(0, colon).trim().toLowerCase()}:${value}`
}

/** Relaxed body canonicalization (section 3.4.4). */
export const relaxedBody = (body: string): string => {
  const lines = body.replace(/[\t ]{2,}|\t/g, " ").replaceAll(" \r\n", "\r\n")
  let end = lines.endsWith(" ") ? lines.length - 1 : lines.length
  while (end >= 2 && lines.startsWith("\r\n", end - 2)) end -= 2
  return end === 0 ? "" : `${lines.slice(0, end)}\r\n`
}

const signedFields = (fields: ReadonlyArray<Field>, names: ReadonlyArray<string>): string => {
  const left = fields.toReversed()
  return names
    .map((name) => {
      const position = left.findIndex((candidate) => sameName(name)(candidate.name))
      const [found] = position < 0 ? [] : left.splice(position, 1)
      return found ? `${relaxedField(found.wire)}\r\n` : ""
    })
    .join("")
}

/** The field with an empty `b=`, which is what gets signed (section 3.7). */
const unsignedField = (key: DkimKey, names: ReadonlyArray<string>, bodyHash: string, seconds: number): string =>
  [
    `DKIM-Signature: v=1; a=${key.algorithm}; c=relaxed/relaxed;`,
    ` d=${key.domain}; s=${key.selector}; t=${seconds};`,
    ` h=${names
      .join(":")
      .toLowerCase()
      .replace(/.{1,70}:(?=.)/g, "$&\r\n  ")};`,
    ` bh=${bodyHash};`,
    " b="
  ].join("\r\n")

const cannotSign = ({ domain, selector }: DkimKey) =>
  new CannotCompose({ message: `The DKIM key ${selector}._domainkey.${domain} cannot sign` })

/**
 * Signs on the thread pool of libuv, so that another core does the work: it takes ten times as long as the handover.
 */
const rsaSignature = (key: DkimKey, secret: KeyObject, text: string) =>
  Effect.callback<Buffer, CannotCompose>((resume) => {
    sign("RSA-SHA256", Buffer.from(text), secret, (error, bytes) =>
      resume(error === null ? Effect.succeed(bytes) : Effect.fail(cannotSign(key)))
    )
  })

/** Signs the hash (RFC 8463 section 3) on the main thread, which is faster than a handover to a thread. */
const ed25519Signature = (key: DkimKey, secret: KeyObject, text: string) =>
  Effect.try({ try: () => sign(null, hash("sha256", text, "buffer"), secret), catch: () => cannotSign(key) })

const signature = (key: DkimKey, secret: KeyObject, text: string) =>
  (key.algorithm === "rsa-sha256" ? rsaSignature : ed25519Signature)(key, secret, text).pipe(
    Effect.filterOrFail(
      ({ length }) => length > 0,
      () => cannotSign(key)
    ),
    Effect.map((bytes) => bytes.toString("base64"))
  )

export interface Signer {
  readonly key: DkimKey
  readonly secret: KeyObject
}

/** One `DKIM-Signature` field for each signer, in their order. `seconds` is the time of signing, as a Unix time. */
export const signatures = Effect.fnUntraced(function* (
  fields: ReadonlyArray<Field>,
  body: string,
  signers: ReadonlyArray<Signer>,
  seconds: number
) {
  const bodyHash = hash("sha256", relaxedBody(body), "base64")
  const names = headerNames(fields)
  const signed = signedFields(fields, names)
  return yield* Effect.forEach(
    signers,
    Effect.fnUntraced(function* ({ key, secret }) {
      const field = unsignedField(key, names, bodyHash, seconds)
      const value = yield* signature(key, secret, signed + relaxedField(field))
      return `${field}${value.replace(/.{72}(?=.)/g, "$&\r\n  ")}\r\n`
    })
  )
})

/**
 * What must not stand in a log line (doors 2): keys, tokens, passwords and URLs with a login at no level, addresses not
 * above debug. An address becomes `address#1f3a9c02`: the same one is the same text for as long as the process runs.
 */
import { createHmac, randomBytes } from "node:crypto"

const salt = randomBytes(16)

const pseudonym = (address: string): string =>
  `address#${createHmac("sha256", salt).update(address.toLowerCase()).digest("hex").slice(0, 8)}`

const credentials: ReadonlyArray<readonly [pattern: RegExp, replacement: string]> = [
  [/\b([sp]k_)[\w-]{8,}/g, "$1..."],
  [/\b(whsec_)[A-Za-z0-9+/=_-]{8,}/g, "$1..."],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, "$1 ..."],
  // The brackets keep what is left from looking like an address.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#]*@/gi, "$1[login]@"],
  [/\b((?:password|passwd|secret|token|api[_-]?key|authorization|cookie)["']?\s*[:=]\s*)"[^"]*"/gi, '$1"..."'],
  [/\b((?:password|passwd|secret|token|api[_-]?key|authorization|cookie)["']?\s*[:=]\s*)[^\s"',;&}]{3,}/gi, "$1..."],
  // What a provider's redirect brings (RFC 6749 4.1.2).
  [/([?&](?:code|state)=)[^\s"'&]+/gi, "$1..."],
  // Signed links and sessions: parts of base64url, joined by dots.
  [/\b[\w-]{20,}\.[\w-]{16,}(?:\.[\w-]{16,})?\b/g, "..."]
]

/** The last label begins with a letter, so `package@1.2.3` is none. */
const address = /[^\s<>()[\]",:;@\\/=]+@(?:[\p{L}\p{N}-]+\.)*\p{L}[\p{L}\p{N}-]*/gu

/** Without credentials, and without addresses unless they are allowed. */
export const redactText = (text: string, allowAddresses: boolean): string => {
  const safe = credentials.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), text)
  return allowAddresses ? safe : safe.replace(address, pseudonym)
}

/** Deeper than any line that a person would read, and than any batch of telemetry. */
const deepest = 24

/** Every text in a value, keys too. */
export const redactTexts = (value: unknown, allowAddresses: boolean, depth = 0): unknown => {
  if (typeof value === "string") return redactText(value, allowAddresses)
  if (typeof value !== "object" || value === null) return value
  if (depth === deepest) return "..."
  if (Array.isArray(value)) return value.map((item) => redactTexts(item, allowAddresses, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      redactText(name, allowAddresses),
      redactTexts(item, allowAddresses, depth + 1)
    ])
  )
}

/** Names of fields whose value is a secret, or a mail's content, whatever it looks like. */
const secretName = /(?:password|passwd|secret|token|authorization|cookie|api_?key)$|^(?:body|html|text|key)$/i

/** The same for named fields: one that is named like a secret goes as a whole. */
export const redactFields = (
  fields: { readonly [name: string]: unknown },
  allowAddresses: boolean
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      secretName.test(name) ? "..." : redactTexts(value, allowAddresses)
    ])
  )

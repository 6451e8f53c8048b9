/**
 * Removes from log lines what they must not contain: keys, tokens, passwords and URLs with a login at every level,
 * email addresses at every level above debug. An address becomes `address#1f3a9c02`. The same address gives the same
 * text as long as the process runs.
 */
import { createHmac, randomBytes } from "node:crypto"

const salt = randomBytes(16)

const pseudonym = (address: string): string =>
  `address#${createHmac("sha256", salt).update(address.toLowerCase()).digest("hex").slice(0, 8)}`

const credentials: ReadonlyArray<readonly [pattern: RegExp, replacement: string]> = [
  [/\b([sp]k_|ph_(?:live|test)_)[\w-]{8,}/g, "$1..."],
  [/\b(whsec_)[A-Za-z0-9+/=_-]{8,}/g, "$1..."],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, "$1 ..."],
  // The brackets keep the remaining text from looking like an address.
  [/\b([a-z][a-z0-9+.-]{0,31}:\/\/)[^\s/?#]*@/gi, "$1[login]@"],
  [/\b((?:password|passwd|secret|token|api[_-]?key|authorization|cookie)["']?\s*[:=]\s*)"[^"]*(?:"|$)/gi, '$1"..."'],
  [/\b((?:password|passwd|secret|token|api[_-]?key|authorization|cookie)["']?\s*[:=]\s*)[^\s"',;&}]{3,}/gi, "$1..."],
  // The query parameters of a provider's redirect (RFC 6749 4.1.2).
  [/([?&](?:code|state)=)[^\s"'&]+/gi, "$1..."],
  // Signed links and sessions: parts of base64url, joined by dots.
  [/(?<![\w-])[\w-]{20,}\.[\w-]{16,}(?:\.[\w-]{16,})?\b/g, "..."]
]

/**
 * The last label begins with a letter, so `package@1.2.3` is not an address. A local part has 64 bytes (RFC 5321
 * 4.5.3.1.1).
 */
const address = /[^\s<>()[\]",:;@\\/=]{1,128}@(?:[\p{L}\p{N}-]+\.)*\p{L}[\p{L}\p{N}-]*/gu

/** Characters of one text. */
const longest = 8_192

/**
 * The position at which a text is cut. It is before a blank, so that the cut leaves no part of a secret that the
 * patterns cannot recognise.
 */
const endOf = (text: string): number => {
  if (text.length <= longest) return text.length
  let end = longest
  while (end > 0 && text.charCodeAt(end) > 32) end--
  return end
}

/** At most 8,192 characters, without credentials, and without addresses unless they are allowed. */
export const redactText = (text: string, allowAddresses: boolean): string => {
  const end = endOf(text)
  const safe = credentials.reduce(
    (text, [pattern, replacement]) => text.replace(pattern, replacement),
    text.slice(0, end)
  )
  const rest = end === text.length ? "" : `... (${text.length - end} characters more)`
  return `${allowAddresses ? safe : safe.replace(address, pseudonym)}${rest}`
}

/** Maximum depth. It is greater than the depth of any log line or batch of telemetry. */
const deepest = 24

/** Redacts every text in a value, including keys. */
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

/** Names of fields that always hold a secret or the content of an email. */
const secretName = /(?:password|passwd|secret|token|authorization|cookie|api_?key)$|^(?:body|html|text|key)$/i

/** The same for named fields: the whole value of a field with a secret name is replaced. */
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

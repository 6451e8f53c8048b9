/** Replies of a peer, cleaned so that they can be stored and shown. */

interface Reply {
  readonly code?: number
  /** RFC 3463, from the start of the text. */
  readonly enhancedCode?: string
  /** The whole reply; see `shown`. */
  readonly reply: string
}

const longest = 1024

/** At most 1 KB or the given size, without control characters, and with every secret masked. */
export const shown = (text: string, secrets: ReadonlyArray<string>, maxBytes = longest): string => {
  const clean = secrets
    .reduce((left, secret) => left.replaceAll(secret, "***"), text)
    .trim()
    .replace(/[^\P{Cc}\n]/gu, " ")
    .toWellFormed()
  const bytes = Buffer.from(clean)
  return bytes.length <= maxBytes ? clean : bytes.toString("utf8", 0, maxBytes - 3).replace(/\ufffd$/, "")
}

/** A reply of one or more lines (RFC 5321 section 4.2), joined by LF. */
export const read = (text: string, secrets: ReadonlyArray<string>): Reply => {
  const [, code, enhancedCode] = /^([2-5]\d\d)(?:[ -]([245]\.\d{1,3}\.\d{1,3})(?!\S))?/.exec(text) ?? []
  return {
    reply: shown(text, secrets),
    ...(code === undefined ? {} : { code: Number(code) }),
    ...(enhancedCode === undefined ? {} : { enhancedCode })
  }
}

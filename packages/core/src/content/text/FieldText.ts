/**
 * Parses header fields and reports from untrusted senders. Pure. Every function takes time linear in the length of the
 * text.
 *
 * The functions scan by hand, because a pattern such as `\([^)]*\)` takes quadratic time on a row of open parentheses.
 */

/** The maximum number of characters of a field that are read. RFC 5322 2.1.1 allows 998 in a line. */
export const maxField = 2_048

/** At most `length` characters, without splitting a code point. */
export const cut = (text: string, length: number): string => {
  if (text.length <= length) return text
  // A code point has at most two units, so the rest is never read.
  return [...text.slice(0, 2 * length)].slice(0, length).join("")
}

/** The part of the field that is read. */
export const capped = (text: string): string => cut(text, maxField)

/**
 * The text without comments (RFC 5322 3.2.2), which can be nested. An unclosed comment extends to the end of the text.
 */
export const withoutComments = (text: string): string => {
  let kept = ""
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === "\\" && depth > 0) at++
    else if (character === "(") {
      if (depth === 0) kept += text.slice(from, at)
      depth++
    } else if (character === ")" && depth > 0 && --depth === 0) from = at + 1
  }
  return depth === 0 ? kept + text.slice(from) : kept
}

/** The text without angle brackets, as in `<ada@example.com>`. */
export const unbracketed = (text: string): string => {
  const trimmed = text.trim()
  const from = trimmed.startsWith("<") ? 1 : 0
  return trimmed.slice(from, trimmed.endsWith(">") ? -1 : undefined)
}

/** Splits `Ada <ada@example.com>` into its two parts. A text without angle brackets is an address. */
export const party = (given: string): { readonly address: string; readonly name: string | null } => {
  const text = capped(given).trim()
  const open = text.lastIndexOf("<")
  if (open < 0 || !text.endsWith(">")) return { address: text, name: null }
  const phrase = text.slice(0, open).trim()
  const quoted = phrase.length > 1 && phrase.startsWith('"') && phrase.endsWith('"')
  return { address: text.slice(open + 1, -1).trim(), name: (quoted ? phrase.slice(1, -1) : phrase) || null }
}

/** A sender or recipient as people write it: `ada@example.com`, or `Ada Lovelace <ada@example.com>` (RFC 5322 3.4). */
import { Schema, SchemaIssue, SchemaTransformation } from "effect"
import { canonicalAddress, isAddress, isLongerThan, isWithin } from "./Primitives.ts"

/** An address with its display name. */
export interface NamedAddress {
  readonly email: string
  readonly name?: string | undefined
}

const maxName = 200
/** A name with each of its characters escaped, and an address in its longest spelling. */
const maxText = 1_000

/**
 * Characters that end an unquoted word, and characters that it may not contain (RFC 5322 3.2.3, without the full stop).
 */
const isBlank = (char: string) => char === " " || char === "\t"
const specials = new Set(["(", ")", "<", ">", "[", "]", ":", ";", "@", "\\", ",", '"'])

/**
 * Reads a quoted string from its opening quote: its content and the place after it. Undefined where it is not closed.
 */
const quotedAt = (text: string, start: number) => {
  let content = ""
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '"') return { content, end: at + 1 }
    if (char === "\\") at++
    content += text.charAt(at)
  }
  return undefined
}

/** Reads words and quoted strings up to the opening bracket. Reads each character once. */
const namedOf = (text: string): NamedAddress | undefined => {
  const words: Array<string> = []
  let at = 0
  while (at < text.length) {
    const char = text.charAt(at)
    if (char === "<") {
      const name = words.join(" ").trim()
      return { email: text.slice(at + 1, -1).trim(), ...(name !== "" && { name }) }
    }
    if (char === '"') {
      const quoted = quotedAt(text, at)
      if (quoted === undefined) return undefined
      words.push(quoted.content)
      at = quoted.end
    } else if (isBlank(char)) at++
    else {
      const start = at
      while (at < text.length && !isBlank(text.charAt(at)) && !specials.has(text.charAt(at))) at++
      if (at === start) return undefined
      words.push(text.slice(start, at))
    }
  }
  return undefined
}

/** The name and address of a text, the address in its canonical form. A text of another form is all address. */
export const mailboxOf = (text: string): NamedAddress => {
  const given = text.trim()
  const named = given.length <= maxText && given.endsWith(">") ? namedOf(given) : undefined
  return named === undefined ? { email: canonicalAddress(given) } : { ...named, email: canonicalAddress(named.email) }
}

/**
 * Atoms with single blanks between them need no quotes (RFC 5322 3.2.5). Neither do characters beyond ASCII (RFC 6532
 * 3.2).
 */
const isPhrase = (name: string) =>
  /^[\w!#$%&'*+/=?^`{|}~\u0080-\uffff-]+(?: [\w!#$%&'*+/=?^`{|}~\u0080-\uffff-]+)*$/.test(name)

/** The text that `mailboxOf` parses into the same parts. */
export const mailboxText = ({ email, name = "" }: NamedAddress): string => {
  if (name.trim() === "") return email
  return `${isPhrase(name) ? name : `"${name.replace(/["\\]/g, "\\$&")}"`} <${email}>`
}

const isName = (name: string) => !isLongerThan(name, maxName) && !/\p{Cc}/u.test(name)

/** The fault of a decoded text. */
const fault = (text: string) => {
  if (text === "") return new SchemaIssue.InvalidValue({ code: "required", message: "An address is required." })
  // A plain address is canonical at this point.
  const { email, name } = text.endsWith(">") ? mailboxOf(text) : { email: text }
  const message = isAddress(email)
    ? name === undefined ||
      isName(name) ||
      "The name has a line break, a control character, or more than 200 characters."
    : "Not a valid email address."
  return message === true || new SchemaIssue.InvalidValue({ code: "invalid_string", message })
}

/** An address, alone or with a display name, in the canonical form of `mailboxText`. */
export const Mailbox = Schema.String.check(isWithin(maxText, "Not a valid email address.")).pipe(
  Schema.decodeTo(
    Schema.String.check(Schema.makeFilter(fault)),
    SchemaTransformation.transform({
      decode: (given) => mailboxText(mailboxOf(given)),
      encode: (stored) => stored
    })
  )
)

/** The domain of an address, as it is written. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1)

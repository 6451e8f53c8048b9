/**
 * Header fields in their wire form: encoded (RFC 2047) if they are not ASCII, folded (RFC 5322 section 2.2.3) at 78
 * columns where they have a blank, each ended by CRLF. No text is ever parsed as an address list.
 */
import type { Mailbox } from "@posthorn/core/platform/Mailer"
import { encodeWord } from "nodemailer/lib/mime-funcs"

export interface Field {
  readonly name: string
  /** The whole field, folded, with its CRLF. */
  readonly wire: string
}

/** RFC 5322 section 2.1.1, without the CRLF. */
const lineLimit = 998
const comfortable = 78
const encodedWordLimit = 52

/** Q keeps mostly Latin text readable, B is shorter for other text. */
const encoded = (text: string) =>
  encodeWord(text, text.replace(/[ -~]/g, "").length * 3 > text.length ? "B" : "Q", encodedWordLimit)

const hasUnbreakableWord = (text: string) => text.length > 900 && text.split(" ").some((word) => word.length > 900)

/** Folds only before a word and never leaves a line of blanks alone. The first word stays with the name if it fits. */
export const field = (name: string, value: string): Field => {
  let wire = ""
  let line = `${name}:`
  for (const [position, word] of value.split(" ").entries()) {
    const room = position === 0 ? lineLimit : comfortable
    if (word !== "" && line.trim() !== "" && line.length + 1 + word.length > room) {
      wire += `${line}\r\n`
      line = ""
    }
    line += ` ${word}`
  }
  return { name, wire: `${wire}${line}\r\n` }
}

/** Free text that decodes to exactly the same text, even if it looks like an encoded word or begins with a blank. */
export const text = (name: string, value: string): Field =>
  field(name, /[^ -~]|=\?|^ | $| {2}/.test(value) || hasUnbreakableWord(value) ? encoded(value) : value)

/**
 * Fields whose syntax allows no encoded words (RFC 2047 section 5). A word that is too long for a line stays too long.
 */
const isStructured = (name: string) =>
  /^(list-.+|references|in-reply-to|resent-.+|auto-submitted|precedence|feedback-id)$/i.test(name)

/** A header given by name and value. ASCII is not encoded, because programs read these fields. */
export const custom = (name: string, given: string): Field => {
  const value = given.trim()
  const listId = /^list-id$/i.test(name) ? angledEnd(value) : undefined
  if (listId !== undefined && !isQuotedString(listId.words)) {
    return field(name, `${phrase(listId.words)} ${listId.angled}`)
  }
  const mustEncode = /[^ -~]/.test(value) || (!isStructured(name) && hasUnbreakableWord(value))
  return field(name, mustEncode ? encoded(value) : value)
}

/** Where the address begins in `words <address>`, if both parts are present. */
const angledEnd = (value: string) => {
  const open = value.lastIndexOf("<")
  const words = value.slice(0, Math.max(0, open)).trimEnd()
  const angled = value.slice(open)
  const isAngled = open !== -1 && angled.length > 2 && angled.indexOf(">") === angled.length - 1
  return isAngled && words !== "" ? { words, angled } : undefined
}

const isQuotedString = (text: string) => /^"(?:[ !#-[\]-~]|\\[ -~])*"$/.test(text)

/** A display name (RFC 5322 section 3.2.5): bare words, a quoted string, or encoded words. */
const phrase = (name: string): string => {
  if (/^\w+( \w+)*$/.test(name)) return name
  if (/^[ -~]*$/.test(name) && !name.includes("=?")) return `"${name.replace(/["\\]/g, "\\$&")}"`
  return encoded(name)
}

const nameAddress = ({ address, name }: Mailbox) => (name ? `${phrase(name)} <${address}>` : address)

export const mailbox = (name: string, party: Mailbox): Field => field(name, nameAddress(party))

/** A list of addresses (RFC 5322 section 3.4); an empty one is a group without members. */
export const mailboxes = (name: string, parties: ReadonlyArray<Mailbox>): Field =>
  field(name, parties.length === 0 ? "undisclosed-recipients:;" : parties.map(nameAddress).join(", "))

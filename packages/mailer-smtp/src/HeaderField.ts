/**
 * Header fields as they go out: encoded (RFC 2047) where they leave ASCII, folded (RFC 5322 section 2.2.3) at 78
 * columns where they have a blank to fold at, each ended by CRLF. No text is ever parsed as an address list.
 */
import type { Mailbox } from "@posthorn/core/sending/Mailer"
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

/** Q keeps mostly Latin text legible, B is shorter for the rest. */
const encoded = (text: string) =>
  encodeWord(text, text.replace(/[ -~]/g, "").length * 3 > text.length ? "B" : "Q", encodedWordLimit)

const hasUnbreakableWord = (text: string) => text.length > 900 && text.split(" ").some((word) => word.length > 900)

/** Breaks only before a word and never leaves a line of blanks alone; the first word stays with the name if it can. */
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

/** Free text that reads back exactly as it was: also when it looks like an encoded word, or begins with a blank. */
export const text = (name: string, value: string): Field =>
  field(name, /[^ -~]|=\?|^ | $| {2}/.test(value) || hasUnbreakableWord(value) ? encoded(value) : value)

/**
 * Fields whose syntax knows no encoded words (RFC 2047 section 5): a word too long for a line cannot be helped there.
 */
const isStructured = (name: string) =>
  /^(list-.+|references|in-reply-to|resent-.+|auto-submitted|precedence|feedback-id)$/i.test(name)

/** A header given by name and value. ASCII stays as it is, since machines read these fields. */
export const custom = (name: string, given: string): Field => {
  const value = given.trim()
  const listId = /^list-id$/i.test(name) ? /^(.*?) *(<[^<>]+>)$/.exec(value) : null
  if (listId?.[1] && listId[2] && !isQuotedString(listId[1])) return field(name, `${phrase(listId[1])} ${listId[2]}`)
  const mustEncode = /[^ -~]/.test(value) || (!isStructured(name) && hasUnbreakableWord(value))
  return field(name, mustEncode ? encoded(value) : value)
}

const isQuotedString = (text: string) => /^"(?:[ !#-[\]-~]|\\[ -~])*"$/.test(text)

/** A display name (RFC 5322 section 3.2.5): bare words, a quoted string, or encoded words. */
const phrase = (name: string): string => {
  if (/^\w+( \w+)*$/.test(name)) return name
  if (/^[ -~]*$/.test(name) && !name.includes("=?")) return `"${name.replace(/["\\]/g, "\\$&")}"`
  return encoded(name)
}

export const mailbox = (name: string, { address, name: displayName }: Mailbox): Field =>
  field(name, displayName ? `${phrase(displayName)} <${address}>` : address)

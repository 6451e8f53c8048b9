/** Parses an inbound mail and the fields of its parts. A large mail is parsed in a thread. */
import { Data, Effect } from "effect"
import { capped } from "../../content/text/FieldText.ts"
import { type IncomingMail, type IncomingPart, partToRead, readIncomingMail } from "../../content/text/IncomingMail.ts"
import { longestInLine, type TextWorker } from "../../content/text/TextWork.ts"

export type { IncomingMail as ReportedMail } from "../../content/text/IncomingMail.ts"

/** The mail cannot be parsed. */
export class UnreadableMail extends Data.TaggedError("UnreadableMail") {}

/** A mail with more lines is parsed in a thread. A line costs the parser as much as a hundred characters. */
const maxLinesInLine = 1_000

const hasManyLines = (bytes: Uint8Array): boolean => {
  let lines = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) if (++lines > maxLinesInLine) return true
  return false
}

export const readMail = Effect.fn("ReportedMail.read")(function* (
  given: Uint8Array,
  work: TextWorker
): Effect.fn.Return<IncomingMail, UnreadableMail> {
  const bytes = partToRead(given)
  const mail =
    bytes.length > longestInLine || hasManyLines(bytes)
      ? yield* Effect.catchTag(work.run("incoming", bytes), "TextTooSlow", ({ message }) =>
          Effect.as(
            Effect.logWarning("An incoming mail could not be parsed in time", { message, bytes: given.length }),
            undefined
          )
        )
      : yield* Effect.promise(() => readIncomingMail(bytes))
  return mail ?? (yield* new UnreadableMail())
})

export type Fields = ReadonlyMap<string, string>

/** Header fields of a text, unfolded. Of several with one name, the first. */
export const fieldsOf = (text: string): Fields => {
  const fields = new Map<string, string>()
  for (const line of text.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
    const [, name, value] = /^([!-9;-~]+)[ \t]*:(.*)$/.exec(line) ?? []
    if (name !== undefined && value !== undefined && !fields.has(name.toLowerCase())) {
      fields.set(name.toLowerCase(), capped(value).trim())
    }
  }
  return fields
}

/** Blocks of header fields, separated by empty lines: the body of a report (RFC 3464 2.1, RFC 5965 3). */
export const blocksOf = (part: IncomingPart): ReadonlyArray<Fields> =>
  new TextDecoder()
    .decode(part.content)
    .split(/\r?\n[ \t]*\r?\n/)
    .map(fieldsOf)
    .filter(({ size }) => size > 0)

/** Headers a caller adds to a mail (contract 10.2): every fault is named by its header. */
import { Schema, SchemaIssue } from "effect"

const maxHeaders = 50
const maxCharacters = 998

/** Set by the service alone: addressing, identity, structure, trace and authentication (RFC 5322 3.6). */
const owned =
  /^(?:from|to|cc|bcc|subject|sender|date|message-id|return-path|received|mime-version|content-.*|dkim-signature|arc-.*|authentication-results|x-posthorn-.*)$/i

/** RFC 5322 2.2: printable ASCII but the colon. */
const fieldName = /^[!-9;-~]{1,76}$/

const fault = (name: string, code: string, message: string): Schema.FilterIssue => ({
  path: [name],
  issue: new SchemaIssue.InvalidValue({ code, message })
})

function* faults(headers: { readonly [name: string]: string }): Generator<Schema.FilterIssue> {
  const seen = new Set<string>()
  for (const [name, value] of Object.entries(headers)) {
    const folded = name.toLowerCase()
    if (!fieldName.test(name)) {
      yield fault(name, "invalid_string", "A header name has 1 to 76 printable ASCII characters, no colon, no blank.")
    } else if (owned.test(name)) yield fault(name, "custom", "This header is set by the service.")
    else if (seen.has(folded)) yield fault(name, "custom", "This header is given twice.")
    seen.add(folded)
    if (/[\r\n]/.test(value)) yield fault(name, "invalid_string", "Must not contain a line break.")
    else if (/[^\P{Cc}\t]/u.test(value)) yield fault(name, "invalid_string", "Must not contain control characters.")
    if ([...value].length > maxCharacters) yield fault(name, "too_big", `At most ${maxCharacters} characters.`)
  }
}

export const CustomHeaders = Schema.Record(Schema.String, Schema.String).check(
  Schema.makeFilter((headers) => {
    if (Object.keys(headers).length > maxHeaders) {
      return new SchemaIssue.InvalidValue({ code: "too_big", message: `At most ${maxHeaders} headers.` })
    }
    return [...faults(headers)]
  })
)

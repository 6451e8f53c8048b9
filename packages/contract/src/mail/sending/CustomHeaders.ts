/** Headers that a caller adds to an email. Every fault names its header. */
import { Schema, SchemaIssue } from "effect"
import { isLength } from "../../platform/Primitives.ts"
import { isReservedHeader } from "./ReservedHeaders.ts"

const maxHeaders = 50

/** RFC 5322 2.2: printable ASCII except the colon. */
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
    } else if (isReservedHeader(name)) {
      yield fault(name, "custom", "This header is reserved: the service sets it, or a relay acts on it.")
    }
    if (seen.has(folded)) yield fault(name, "custom", "This header is given twice.")
    seen.add(folded)
    if (/[\r\n]/.test(value)) yield fault(name, "invalid_string", "Must not contain a line break.")
    else if (/[^\P{Cc}\t]/u.test(value)) yield fault(name, "invalid_string", "Must not contain control characters.")
  }
}

export const CustomHeaders = Schema.Record(Schema.String, Schema.String.check(isLength(0, 998))).check(
  Schema.makeFilter((headers) => {
    if (Object.keys(headers).length > maxHeaders) {
      return new SchemaIssue.InvalidValue({ code: "too_big", message: `At most ${maxHeaders} headers.` })
    }
    return [...faults(headers)]
  })
)

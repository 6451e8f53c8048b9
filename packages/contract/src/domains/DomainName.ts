/** The name of a sender domain in its canonical form (contract-2 6.4). */
import { Schema, SchemaTransformation } from "effect"

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
/** At least two labels, the last not all digits, so that no IP address passes. */
const nameForm = new RegExp(`^(?=.{3,253}$)(?:${label}\\.)+(?!\\d+$)${label}$`)

/** Trimmed, without the final dot, lower case, in its ASCII (IDNA) form; what is no name stays and fails the form. */
const canonicalName = (given: string): string => {
  const text = given.trim().replace(/\.$/, "").toLowerCase()
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(text)) return text
  return URL.parse(`http://${text}`)?.hostname ?? text
}

export const DomainName = Schema.String.pipe(
  Schema.decodeTo(
    Schema.String.check(
      Schema.isMinLength(1, { code: "required", message: "A domain is required." }).abort(),
      Schema.isPattern(nameForm, { message: "Not a domain name." })
    ),
    SchemaTransformation.transform({ decode: canonicalName, encode: (stored) => stored })
  )
)

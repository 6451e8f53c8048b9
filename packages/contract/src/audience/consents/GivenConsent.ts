/** What callers say about a consent: who gave it, when, and what that person saw. */
import { Schema, SchemaIssue } from "effect"
import { LanguageTag } from "../../platform/LanguageTag.ts"
import { described, isLength, isOneLine, Note, optional, TimestampInput } from "../../platform/Primitives.ts"

export const ConsentActor = Schema.Struct({
  type: Schema.Literals(["recipient", "key", "public_key", "member", "service"]),
  userId: Schema.optionalKey(Schema.String).pipe(described("The member, or the user of the host."))
}).annotate({ identifier: "ConsentActor", description: "Who gave or withdrew a consent." })
export type ConsentActor = typeof ConsentActor.Type

const maxEvidence = 4 * 1024

const isEvidence = Schema.makeFilter<Schema.Json>((value) =>
  new TextEncoder().encode(JSON.stringify(value)).length > maxEvidence
    ? new SchemaIssue.InvalidValue({ code: "too_big", message: "At most 4 KB as JSON." })
    : true
)

const octet = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)"
const ip4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`)
const group = /^[0-9a-f]{1,4}$/i

/** RFC 4291 2.2: eight groups, of which one run of zeros may be `::`, the last two as an IPv4 address if so wanted. */
const isIp6 = (text: string): boolean => {
  const last = text.slice(text.lastIndexOf(":") + 1)
  const plain = ip4.test(last) ? `${text.slice(0, -last.length)}0:0` : text
  const halves = plain.split("::")
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")))
  return groups.every((each) => group.test(each)) && (halves.length === 2 ? groups.length < 8 : groups.length === 8)
}

const IpAddress = Schema.String.check(
  isLength(2, 45),
  Schema.makeFilter((text: string) =>
    ip4.test(text) || isIp6(text)
      ? true
      : new SchemaIssue.InvalidValue({ code: "invalid_string", message: "Not an IP address." })
  )
)

export const GivenConsent = Schema.Struct({
  basis: optional(Schema.String.check(isLength(1, 50), isOneLine)).pipe(
    described("Why mail may be sent, in the caller's own word, such as `consent` or `contract`; never interpreted.")
  ),
  wording: optional(Note(4_000)).pipe(described("The text that the person saw, at most 4,000 characters.")),
  language: optional(LanguageTag).pipe(described("The language of the wording.")),
  at: optional(TimestampInput).pipe(described("When the person agreed: past, at most 20 years ago. Absent: now.")),
  ip: optional(IpAddress).pipe(described("Stored as the settings of the audience say; dropped by default.")),
  userAgent: optional(Schema.String.check(isLength(0, 512), isOneLine)).pipe(
    described("Stored as the settings of the audience say; dropped by default.")
  ),
  evidence: Schema.optionalKey(Schema.Json.check(isEvidence)).pipe(described("Any JSON, at most 4 KB."))
}).annotate({
  identifier: "GivenConsent",
  description:
    "Evidence of a consent, kept with its record. The public key may give `wording` and `language` alone. A grant that changes nothing is recorded too."
})
export type GivenConsent = typeof GivenConsent.Type

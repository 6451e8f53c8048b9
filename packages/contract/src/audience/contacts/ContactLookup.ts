/** Lookup of which addresses a project has. */
import { Schema } from "effect"
import { described, isLength, required } from "../../platform/Primitives.ts"

/** Malformed addresses do not fail the request. The result lists them. */
export const LookupContacts = Schema.Struct({
  emails: required(
    Schema.Array(Schema.String.check(isLength(0, 1_000))).check(Schema.isMinLength(1), Schema.isMaxLength(500))
  ).pipe(described("1 to 500 addresses, in any spelling."))
}).annotate({ identifier: "LookupContacts" })
export type LookupContacts = typeof LookupContacts.Type

export const ContactLookup = Schema.Struct({
  found: Schema.Array(Schema.String).pipe(described("Given addresses that a contact has.")),
  notFound: Schema.Array(Schema.String).pipe(
    described("Given addresses that no contact has, including malformed ones.")
  ),
  invalid: Schema.Array(Schema.String).pipe(described("The malformed addresses in `notFound`."))
}).annotate({
  identifier: "ContactLookup",
  description: "Each distinct text once, spelled and ordered as given."
})
export type ContactLookup = typeof ContactLookup.Type

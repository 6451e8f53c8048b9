/** Lookup of which addresses and ids a project has. */
import { Schema, SchemaIssue } from "effect"
import { described, isLength, optional } from "../../platform/Primitives.ts"

const texts = Schema.Array(Schema.String.check(isLength(0, 1_000))).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(500)
)

const isGiven = Schema.makeFilter<{
  readonly emails?: ReadonlyArray<string> | null
  readonly externalIds?: ReadonlyArray<string> | null
}>(({ emails, externalIds }) =>
  emails == null && externalIds == null
    ? { path: ["emails"], issue: new SchemaIssue.InvalidValue({ code: "required", message: "Required." }) }
    : true
)

/** Malformed addresses do not fail the request. The result lists them. */
export const LookupContacts = Schema.Struct({
  emails: optional(texts).pipe(described("1 to 500 addresses, in any spelling. Required without `externalIds`.")),
  externalIds: optional(texts).pipe(described("1 to 500 ids of the caller."))
})
  .check(isGiven)
  .annotate({ identifier: "LookupContacts" })
export type LookupContacts = typeof LookupContacts.Type

export const ContactLookup = Schema.Struct({
  found: Schema.Array(Schema.String).pipe(described("Given addresses that a contact has.")),
  notFound: Schema.Array(Schema.String).pipe(
    described("Given addresses that no contact has, including malformed ones.")
  ),
  invalid: Schema.Array(Schema.String).pipe(described("The malformed addresses in `notFound`.")),
  foundExternalIds: Schema.optionalKey(Schema.Array(Schema.String)).pipe(
    described("Given ids that find a contact. Absent without `externalIds`.")
  ),
  notFoundExternalIds: Schema.optionalKey(Schema.Array(Schema.String)).pipe(
    described("Given ids that find no contact. Absent without `externalIds`.")
  )
}).annotate({
  identifier: "ContactLookup",
  description: "Each distinct text once, spelled and ordered as given."
})
export type ContactLookup = typeof ContactLookup.Type

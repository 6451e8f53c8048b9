/** The merge of two contacts that are one person. */
import { Schema, SchemaIssue } from "effect"
import { described, EmailAddress, optional } from "../../platform/Primitives.ts"
import { Contact, ContactId, ExternalId } from "./Contact.ts"

const names = ["contactId", "externalId", "email"] as const

/** The contact that goes has one name. */
const hasOneName = Schema.makeFilter<{ readonly [name in (typeof names)[number]]?: string | null }>((given) => {
  const [first, second] = names.filter((name) => given[name] != null)
  if (first === undefined) {
    return { path: ["contactId"], issue: new SchemaIssue.InvalidValue({ code: "required", message: "Required." }) }
  }
  if (second === undefined) return true
  const message = `Only one of ${names.join(", ")}.`
  return { path: [second], issue: new SchemaIssue.InvalidValue({ code: "custom", message }) }
})

/** Body of `POST /contacts/{id}/merge`. Exactly one of the names. */
export const MergeContact = Schema.Struct({
  contactId: optional(ContactId).pipe(described("The contact that goes, by its id.")),
  externalId: optional(ExternalId).pipe(described("The contact that goes, by the caller's own id.")),
  email: optional(EmailAddress).pipe(described("The contact that goes, by its address.")),
  dryRun: optional(Schema.Boolean).pipe(described("`true`: count what would move, and change nothing.", "false"))
})
  .check(hasOneName)
  .annotate({ identifier: "MergeContact" })
export type MergeContact = typeof MergeContact.Type

/** The most events and mails, together, of a contact that is merged into another one. */
export const maxMerged = 50_000

export const MergedContact = Schema.Struct({
  contact: Contact.annotateKey({ description: "The contact that stays." }),
  merged: Schema.Struct({
    events: Schema.Int,
    emails: Schema.Int,
    executions: Schema.Int,
    memberships: Schema.Int.pipe(described("Static segments that it joins."))
  }).annotateKey({ description: "What moved from the contact that goes." })
}).annotate({ identifier: "MergedContact", description: "The contacts are one." })
export type MergedContact = typeof MergedContact.Type

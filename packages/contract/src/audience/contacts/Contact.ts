/** A contact: one address in one project, with the data that its emails are rendered from. */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { ProjectId } from "../../platform/Auth.ts"
import {
  described,
  EmailAddress,
  Id,
  lenient,
  Page,
  PageQuery,
  required,
  Search,
  Timestamp
} from "../../platform/Primitives.ts"
import { isContactData } from "./ContactData.ts"

export const ContactId = Id.pipe(Schema.brand("ContactId"))
export type ContactId = typeof ContactId.Type

export const Contact = Schema.Struct({
  id: ContactId,
  email: Schema.String.pipe(described("Unique in the project.")),
  subscribed: Schema.Boolean.pipe(described("Whether marketing mail may be sent to it.")),
  data: Schema.JsonObject.pipe(described("Custom data, usable as template variables; `{}` if there is none.")),
  projectId: ProjectId,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Contact", description: "One address in one project." })
export type Contact = typeof Contact.Type

/** What changed a subscription, in the events about it. */
export const SubscriptionReason = Schema.Literals([
  "api",
  "send",
  "track",
  "import",
  "bulk",
  "page",
  "one_click",
  "workflow",
  "bounce",
  "complaint"
])
export type SubscriptionReason = typeof SubscriptionReason.Type

/** Custom data as the caller sends it. Reserved keys are removed later. */
export const ContactData = Schema.JsonObject.check(isContactData).annotate({
  identifier: "ContactData",
  description:
    "Values by name, stored on the contact and usable as template variables. `null` deletes a field, an empty string is ignored, `{value, persistent: false}` applies to this request only, and reserved keys (`id`, `email`, `unsubscribeUrl`, ...) are dropped. At most 64 KB as JSON, 10 levels, 500 keys in an object, 100 characters in a key."
})
export type ContactData = typeof ContactData.Type

/** Body of `POST /contacts`. `null` counts as absent. */
export const UpsertContact = Schema.Struct({
  email: required(EmailAddress),
  subscribed: Schema.optionalKey(Schema.NullOr(Schema.Boolean)).pipe(
    described("Absent: a new contact is subscribed, an existing one keeps its state.")
  ),
  data: Schema.optionalKey(Schema.NullOr(ContactData))
}).annotate({ identifier: "UpsertContact" })
export type UpsertContact = typeof UpsertContact.Type

/** Body of `PATCH /contacts/{id}`. `data: null` removes all custom data. */
export const UpdateContact = Schema.Struct({
  email: Schema.optionalKey(EmailAddress),
  subscribed: Schema.optionalKey(Schema.Boolean),
  data: Schema.optionalKey(Schema.NullOr(ContactData)).annotateKey({
    description: "Merged into the existing data; `null` removes all custom data."
  })
}).annotate({ identifier: "UpdateContact" })
export type UpdateContact = typeof UpdateContact.Type

/** The two responses of `POST /contacts`. The encoder picks the status by `_meta`. */
export const CreatedContact = Schema.Struct({
  ...Contact.fields,
  _meta: Schema.Struct({ isNew: Schema.Literal(true), isUpdate: Schema.Literal(false) })
})
  .annotate({ identifier: "CreatedContact", description: "The contact is new." })
  .pipe(HttpApiSchema.status(201))

export const UpdatedContact = Schema.Struct({
  ...Contact.fields,
  _meta: Schema.Struct({ isNew: Schema.Literal(false), isUpdate: Schema.Literal(true) })
})
  .annotate({ identifier: "UpdatedContact", description: "The contact already existed." })
  .pipe(HttpApiSchema.status(200))

export const ContactQuery = Schema.Struct({
  ...PageQuery,
  search: Schema.optionalKey(Search),
  subscribed: Schema.optionalKey(Schema.Boolean),
  sort: lenient("createdAt", "email"),
  dir: lenient("desc", "asc")
})
export type ContactQuery = typeof ContactQuery.Type

export const ContactPage = Page("ContactPage", Contact)
export type ContactPage = typeof ContactPage.Type

export class ContactNotFound extends Schema.TaggedError<ContactNotFound>()("CONTACT_NOT_FOUND", {
  resource: Schema.tag("contact"),
  id: Schema.String
}) {
  override readonly message = `No contact ${this.id} in this project.`
}

export class EmailAlreadyExists extends Schema.TaggedError<EmailAlreadyExists>()("EMAIL_ALREADY_EXISTS", {
  email: Schema.String
}) {
  override readonly message = `Another contact of this project has the address ${this.email}.`
}

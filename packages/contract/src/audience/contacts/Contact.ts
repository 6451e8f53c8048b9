/** A contact: one address in one project, with the data that its emails are rendered from. */
import { Schema, SchemaIssue } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { Timezone } from "../../accounts/projects/Project.ts"
import { ProjectId } from "../../platform/Auth.ts"
import { BatchIndex } from "../../platform/Errors.ts"
import { LanguageTag } from "../../platform/LanguageTag.ts"
import {
  described,
  EmailAddress,
  Id,
  isLength,
  isOneLine,
  lenient,
  optional,
  Page,
  PageQuery,
  Search,
  Timestamp,
  TimestampInput
} from "../../platform/Primitives.ts"
import { GivenConsent } from "../consents/GivenConsent.ts"
import { DoubleOptIn, RequestedOptIn } from "../optins/RequestedOptIn.ts"
import { TopicStates } from "../topics/TopicStates.ts"
import { isContactData } from "./ContactData.ts"

export const ContactId = Id.pipe(Schema.brand("ContactId"))
export type ContactId = typeof ContactId.Type

/** The caller's own id of a contact. Case counts. */
export const ExternalId = Schema.String.check(isLength(1, 200), isOneLine)

/** What writes to contacts. */
export const ContactSource = Schema.Literals([
  "api",
  "send",
  "track",
  "import",
  "bulk",
  "workflow",
  "form",
  "page",
  "one_click",
  "double_opt_in",
  "bounce",
  "complaint",
  "merge"
])
export type ContactSource = typeof ContactSource.Type

/** `pending`: not subscribed, and an open opt-in asks for it. */
export const ContactSubscription = Schema.Literals(["subscribed", "unsubscribed", "pending"])
export type ContactSubscription = typeof ContactSubscription.Type

/** What a contact said about a topic. `pending`: an open opt-in asks for it. */
export const TopicState = Schema.Literals(["subscribed", "unsubscribed", "pending"])
export type TopicState = typeof TopicState.Type

export const ContactOrigin = Schema.Struct({
  source: ContactSource,
  id: Schema.NullOr(Id).pipe(described("The form, import or bulk job, if there is one."))
}).annotate({ identifier: "ContactOrigin", description: "How a contact was made." })
export type ContactOrigin = typeof ContactOrigin.Type

export const Contact = Schema.Struct({
  id: ContactId,
  email: Schema.String.pipe(described("Unique in the project.")),
  externalId: Schema.NullOr(Schema.String).pipe(described("The caller's own id, unique in the project.")),
  subscribed: Schema.Boolean.pipe(described("Whether marketing mail may be sent to it.")),
  subscription: ContactSubscription.pipe(
    described("`pending`: `subscribed` is false, and the contact was asked to confirm that it wants mail.")
  ),
  topics: Schema.Record(Schema.String, TopicState).pipe(
    described("What the contact said about topics, by their keys. Topics without a state of their own are left out.")
  ),
  snoozedUntil: Schema.NullOr(Timestamp).pipe(
    described("Until then it gets no marketing mail. Null once it has passed.")
  ),
  locale: Schema.NullOr(Schema.String).pipe(
    described("Language of its mail and pages: `data.locale`. Null if that is no language tag.")
  ),
  timezone: Schema.NullOr(Schema.String).pipe(described("IANA name: `data.timezone`. Null if that is no time zone.")),
  origin: Schema.NullOr(ContactOrigin).annotateKey({
    description: "How it was made. Null for contacts of earlier releases."
  }),
  data: Schema.JsonObject.pipe(described("Custom data, usable as template variables; `{}` if there is none.")),
  projectId: ProjectId,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  optIn: Schema.optionalKey(RequestedOptIn).annotateKey({
    description: "Only in answers to a write that asked for an opt-in."
  })
}).annotate({ identifier: "Contact", description: "One address in one project." })
export type Contact = typeof Contact.Type

/** What changed a subscription, in the events about it. */
export const SubscriptionReason = ContactSource
export type SubscriptionReason = typeof SubscriptionReason.Type

/** Custom data as the caller sends it. Reserved keys are removed later. */
export const ContactData = Schema.JsonObject.check(isContactData).annotate({
  identifier: "ContactData",
  description:
    "Values by name, stored on the contact and usable as template variables. `null` deletes a field, an empty string is ignored, `{value, persistent: false}` applies to this request only, and reserved keys (`id`, `email`, `unsubscribeUrl`, ...) are dropped. At most 64 KB as JSON, 10 levels, 500 keys in an object, 100 characters in a key."
})
export type ContactData = typeof ContactData.Type

const aboutLocale = "A language tag such as `de` or `pt-BR`; the same as `data.locale`."
const aboutTimezone = "IANA name such as `Europe/Berlin`; the same as `data.timezone`."

/** A contact is named by its address or, if it is known, by the caller's own id. */
export const isNamed = Schema.makeFilter<{
  readonly email?: string | null
  readonly externalId?: string | null
}>(({ email, externalId }) =>
  email == null && externalId == null
    ? { path: ["email"], issue: new SchemaIssue.InvalidValue({ code: "required", message: "Required." }) }
    : true
)

/** Body of `POST /contacts`. `null` counts as absent. */
export const UpsertContact = Schema.Struct({
  email: optional(EmailAddress).pipe(described("Required unless a contact has the `externalId`.")),
  externalId: optional(ExternalId).pipe(
    described(
      "The caller's own id, 1 to 200 characters. It finds the contact before the address does: a contact that has it gets the new address."
    )
  ),
  subscribed: Schema.optionalKey(Schema.NullOr(Schema.Boolean)).pipe(
    described("Absent: a new contact is subscribed, an existing one keeps its state.")
  ),
  doubleOptIn: DoubleOptIn,
  topics: optional(TopicStates),
  consent: optional(GivenConsent),
  locale: optional(LanguageTag).pipe(described(aboutLocale)),
  timezone: optional(Timezone).pipe(described(aboutTimezone)),
  data: Schema.optionalKey(Schema.NullOr(ContactData)),
  onConflict: optional(Schema.Literal("merge")).pipe(
    described(
      "`merge`: if the `externalId` is that of one contact and the `email` that of another, the latter is merged into the former, as by `POST /contacts/{id}/merge`. Absent: 409."
    )
  )
})
  .check(isNamed)
  .annotate({ identifier: "UpsertContact" })
export type UpsertContact = typeof UpsertContact.Type

/** Body of `PATCH /contacts/{id}`. `data: null` removes all custom data. */
export const UpdateContact = Schema.Struct({
  email: Schema.optionalKey(EmailAddress),
  externalId: optional(ExternalId).pipe(described("The caller's own id, 1 to 200 characters. Null removes it.")),
  subscribed: Schema.optionalKey(Schema.Boolean),
  doubleOptIn: DoubleOptIn,
  topics: optional(TopicStates),
  consent: optional(GivenConsent),
  locale: optional(LanguageTag).pipe(described(`${aboutLocale} Null removes it.`)),
  timezone: optional(Timezone).pipe(described(`${aboutTimezone} Null removes it.`)),
  snoozedUntil: optional(TimestampInput).pipe(
    described("Until then the contact gets no marketing mail; at most 366 days ahead. Null ends it.")
  ),
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
  email: Schema.optionalKey(EmailAddress).pipe(described("Only the contact with this address.")),
  externalId: Schema.optionalKey(ExternalId).pipe(described("Only the contact with this id.")),
  subscribed: Schema.optionalKey(Schema.Boolean),
  sort: lenient("createdAt", "email"),
  dir: lenient("desc", "asc")
})
export type ContactQuery = typeof ContactQuery.Type

export const ContactPage = Page("ContactPage", Contact)
export type ContactPage = typeof ContactPage.Type

export class ContactNotFound extends Schema.TaggedError<ContactNotFound>()("CONTACT_NOT_FOUND", {
  resource: Schema.tag("contact"),
  id: Schema.String,
  /** The contact that has taken its place. */
  mergedInto: Schema.optionalKey(Schema.String)
}) {
  override readonly message = `No contact ${this.id} in this project.`
}

export class EmailAlreadyExists extends Schema.TaggedError<EmailAlreadyExists>()("EMAIL_ALREADY_EXISTS", {
  email: Schema.String,
  /** The contact that has the address. */
  contactId: Schema.optionalKey(Schema.String),
  index: BatchIndex
}) {
  override readonly message = `Another contact of this project has the address ${this.email}.`
}

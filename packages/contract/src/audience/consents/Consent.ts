/** Records of consent: what a contact agreed to or withdrew, when, and what proves it. */
import { Schema } from "effect"
import { ExportFormat } from "../../platform/Export.ts"
import { DateQuery, described, EmailAddress, Id, Page, PageQuery, Timestamp } from "../../platform/Primitives.ts"
import { ContactId, ContactSource } from "../contacts/Contact.ts"
import { TopicName } from "../topics/Topic.ts"
import { ConsentActor } from "./GivenConsent.ts"

export const ConsentAction = Schema.Literals(["requested", "granted", "withdrawn", "declined", "expired", "merged"])
export type ConsentAction = typeof ConsentAction.Type

const ConsentTopic = Schema.Struct({ id: Schema.String, key: Schema.String, name: Schema.String }).annotate({
  identifier: "ConsentTopic",
  description: "The topic as it was then."
})

const ConsentWording = Schema.Struct({
  hash: Schema.String.pipe(described("SHA-256 of the text, in hexadecimal.")),
  text: Schema.String,
  language: Schema.NullOr(Schema.String),
  formVersion: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "ConsentWording", description: "The text that the person saw." })

const reference = Schema.NullOr(Schema.String)

export const Consent = Schema.Struct({
  id: Id,
  contactId: reference.pipe(described("Null once the person is erased.")),
  email: Schema.NullOr(Schema.String).pipe(described("The address at that time; null once the person is erased.")),
  at: Timestamp.pipe(described("When it happened.")),
  recordedAt: Timestamp,
  action: ConsentAction,
  scope: Schema.Literals(["global", "topic"]).pipe(described("`global`: the subscription itself.")),
  topic: Schema.NullOr(ConsentTopic).annotateKey({ description: "Null for the subscription itself." }),
  source: ContactSource,
  actor: ConsentActor,
  wording: Schema.NullOr(ConsentWording).annotateKey({ description: "Null if it is unknown." }),
  basis: Schema.NullOr(Schema.String).pipe(described("The caller's own word for why mail may be sent.")),
  evidence: Schema.Json.pipe(described("What the caller gave; null without.")),
  ip: Schema.NullOr(Schema.String),
  userAgent: Schema.NullOr(Schema.String),
  emailId: reference,
  campaignId: reference,
  formId: reference,
  optInId: reference,
  jobId: reference
}).annotate({
  identifier: "Consent",
  description: "A record of a consent that was given or withdrawn. It never changes, unless the person is erased."
})
export type Consent = typeof Consent.Type

const filters = {
  contactId: Schema.optionalKey(ContactId).pipe(described("Only records of this contact, under whatever address.")),
  email: Schema.optionalKey(EmailAddress).pipe(described("Also finds the records of erased people.")),
  topic: Schema.optionalKey(TopicName).pipe(described("Id or key of a topic, as it was then.")),
  action: Schema.optionalKey(ConsentAction).pipe(described("Only records of this action.")),
  source: Schema.optionalKey(ContactSource).pipe(described("Only records of changes that came this way.")),
  formId: Schema.optionalKey(Id).pipe(described("Only records of this form.")),
  startDate: Schema.optionalKey(DateQuery).pipe(
    described("Recorded at or after this date (`2026-03-01`) or date-time, ISO 8601.")
  ),
  endDate: Schema.optionalKey(DateQuery).pipe(
    described("Recorded before this date-time, or until the end of this date.")
  )
}

export const ConsentQuery = Schema.Struct({ ...PageQuery, ...filters })
export type ConsentQuery = typeof ConsentQuery.Type

export const ContactConsentQuery = Schema.Struct(PageQuery)
export type ContactConsentQuery = typeof ContactConsentQuery.Type

export const ConsentExportQuery = Schema.Struct({
  format: Schema.optionalKey(ExportFormat).pipe(described("`csv`, or `ndjson`: one record on each line.", "csv")),
  ...filters
})
export type ConsentExportQuery = typeof ConsentExportQuery.Type

export const ConsentPage = Page("ConsentPage", Consent)
export type ConsentPage = typeof ConsentPage.Type

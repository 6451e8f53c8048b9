/** Contacts selected by a condition or a segment: a page of them, and their number. */
import { Schema } from "effect"
import { AtLeastOne, described, Id, isLength, optional, Page, Search } from "../../platform/Primitives.ts"
import { FilterTree } from "../filters/FilterTree.ts"
import { TopicReference } from "../topics/TopicReference.ts"
import { Contact } from "./Contact.ts"

const condition = optional(FilterTree).annotateKey({ description: "Only contacts that match this condition." })
const segmentId = optional(Id).pipe(described("Only members of this segment. Not together with `condition`."))

/** Body of `POST /contacts/query`. `null` counts as absent. */
export const QueryContacts = Schema.Struct({
  condition,
  segmentId,
  search: optional(Search),
  subscribed: optional(Schema.Boolean).pipe(described("Only subscribed contacts, or only the others.")),
  sort: optional(Schema.Literals(["createdAt", "updatedAt", "email"])).pipe(described("Default: `createdAt`.")),
  dir: optional(Schema.Literals(["desc", "asc"])).pipe(described("Default: `desc`.")),
  limit: optional(AtLeastOne).pipe(described("Contacts on the page, at most 100. Default: 20.")),
  cursor: optional(Schema.String.check(isLength(0, 8_192))).pipe(
    described("The `cursor` of the previous page. Absent: the first page.")
  )
}).annotate({ identifier: "QueryContacts" })
export type QueryContacts = typeof QueryContacts.Type

export const SelectedContactPage = Schema.Struct({
  ...Page("ContactPage", Contact).fields,
  total: Schema.NullOr(Schema.Int).pipe(
    described("Exact on the first page, 0 on later ones. Null if counting takes more than 2 seconds.")
  )
}).annotate({ identifier: "SelectedContactPage", description: "One page of the selected contacts." })
export type SelectedContactPage = typeof SelectedContactPage.Type

/** A mail that the contacts might get. */
export const IntendedMail = Schema.Struct({
  type: Schema.Literals(["TRANSACTIONAL", "MARKETING", "HEADLESS"]).annotate({
    description: "Marketing and headless mail reaches only subscribed contacts that have not snoozed."
  }),
  topic: optional(TopicReference).pipe(
    described("Id or key of the topic of the mail. Contacts that do not take it are excluded.")
  )
}).annotate({ identifier: "IntendedMail", description: "The mail of a campaign." })
export type IntendedMail = typeof IntendedMail.Type

/** Body of `POST /contacts/count`. `null` counts as absent. */
export const CountContacts = Schema.Struct({
  condition,
  segmentId,
  for: optional(IntendedMail).annotateKey({
    description: "Also count who could get a mail of a campaign, and who could not."
  })
}).annotate({ identifier: "CountContacts" })
export type CountContacts = typeof CountContacts.Type

export const ExcludedContacts = Schema.Struct({
  unsubscribed: Schema.Int.pipe(described("Not subscribed.")),
  topicUnsubscribed: Schema.Int.pipe(described("Do not take the topic; 0 for mail without one.")),
  snoozed: Schema.Int.pipe(described("Want no mail for a time.")),
  suppressed: Schema.Int.pipe(described("On the suppression list."))
}).annotate({
  identifier: "ExcludedContacts",
  description: "Contacts that would not get the mail. A contact counts for its first reason, in this order."
})
export type ExcludedContacts = typeof ExcludedContacts.Type

export const ContactCount = Schema.Struct({
  count: Schema.NullOr(Schema.Int).pipe(described("Null if counting takes more than 5 seconds.")),
  timedOut: Schema.optionalKey(Schema.Literal(true)).pipe(described("Present if the count is null.")),
  eligible: Schema.optionalKey(Schema.Int).pipe(
    described("With `for`: contacts that would get the mail. `count` is this number and those excluded.")
  ),
  excluded: Schema.optionalKey(ExcludedContacts).annotateKey({ description: "With `for`." })
}).annotate({ identifier: "ContactCount", description: "The number of selected contacts." })
export type ContactCount = typeof ContactCount.Type

/** Changes of many contacts at once, selected by a condition, a segment or their ids. */
import { Schema, SchemaIssue } from "effect"
import { described, Id, isLength, listOf, optional, required, Timestamp } from "../../platform/Primitives.ts"
import { GivenConsent } from "../consents/GivenConsent.ts"
import { FilterTree } from "../filters/FilterTree.ts"
import { TopicStates } from "../topics/TopicStates.ts"
import { Contact, ContactData, ContactId } from "./Contact.ts"

export const bulkChanges = [
  "subscribe",
  "unsubscribe",
  "set-topics",
  "set-data",
  "add-to-segment",
  "remove-from-segment",
  "delete"
] as const
export const BulkChange = Schema.Literals(bulkChanges)
export type BulkChange = typeof BulkChange.Type

const condition = optional(FilterTree).annotateKey({ description: "Contacts that match this condition." })
const segmentId = optional(Id).pipe(described("Members of this segment."))
const contactIds = optional(listOf(ContactId, Schema.isMinLength(1), Schema.isMaxLength(10_000))).pipe(
  described("1 to 10,000 ids; duplicates count once.")
)

const isOne = Schema.makeFilter<{ readonly [name: string]: unknown }>((select) =>
  Object.values(select).filter((given) => given != null).length === 1
    ? true
    : new SchemaIssue.InvalidValue({
        code: "custom",
        message: "Give exactly one of `condition`, `segmentId`, `contactIds` and `all`."
      })
)

export const BulkSelect = Schema.Struct({
  condition,
  segmentId,
  contactIds,
  all: optional(Schema.Literal(true)).pipe(described("All contacts of the project."))
})
  .check(isOne)
  .annotate({ identifier: "BulkSelect", description: "Exactly one of the fields says which contacts." })
export type BulkSelect = typeof BulkSelect.Type

/** Body of `POST /contacts/bulk`. */
export const ChangeContacts = Schema.Struct({
  operation: required(BulkChange),
  select: required(BulkSelect),
  topics: optional(TopicStates).pipe(described("For `set-topics`.")),
  data: optional(ContactData).pipe(
    described("For `set-data`: merged into the data of each contact; null removes a field.")
  ),
  targetSegmentId: optional(Id).pipe(described("For `add-to-segment` and `remove-from-segment`: a static segment.")),
  doubleOptIn: optional(Schema.Boolean).pipe(
    described(
      "True: contacts are asked to confirm by mail what they are subscribed to. False: they are not. Absent: as the settings say."
    )
  ),
  consent: optional(GivenConsent),
  silent: optional(Schema.Boolean).pipe(
    described("True: changed subscriptions and topics emit no events. Default: false.")
  ),
  dryRun: optional(Schema.Boolean).pipe(
    described("True: count the contacts, and change nothing. The answer has the token for the change.")
  ),
  confirmationToken: optional(Schema.String.check(isLength(1, 2_000))).pipe(
    described("Of a dry run with the same body. Required above 1,000 contacts, for `delete` above 100.")
  )
}).annotate({ identifier: "ChangeContacts" })
export type ChangeContacts = typeof ChangeContacts.Type

export const BulkPreview = Schema.Struct({
  count: Schema.Int.pipe(described("Contacts that the change would be made to.")),
  sample: Schema.Array(Contact).annotateKey({ description: "Up to 5 of them." }),
  confirmationToken: Schema.String.pipe(described("Confirms the same change for 15 minutes.")),
  expiresAt: Timestamp
}).annotate({ identifier: "BulkPreview", description: "What a change of many contacts would reach." })
export type BulkPreview = typeof BulkPreview.Type

/** Most contacts that a result names. */
export const maxBulkErrors = 1_000

const counts = {
  operation: BulkChange,
  totalRequested: Schema.Int.pipe(described("Contacts that were selected when the job was queued.")),
  successCount: Schema.Int.pipe(described("Contacts that were changed.")),
  unchanged: Schema.Int.pipe(described("Contacts that were as wanted before.")),
  pendingCount: Schema.Int.pipe(described("Contacts that were asked to confirm.")),
  failureCount: Schema.Int
}

export const BulkChangeCounts = Schema.Struct(counts)

export const BulkChangeResult = Schema.Struct({
  ...counts,
  errors: Schema.Array(Schema.Struct({ contactId: ContactId, error: Schema.String })).pipe(
    described(`At most ${maxBulkErrors}.`)
  )
}).annotate({ identifier: "BulkChangeResult", description: "The result of a change of many contacts." })
export type BulkChangeResult = typeof BulkChangeResult.Type

/** The token of a dry run is for another body, or too old. */
export class InvalidConfirmation extends Schema.TaggedError<InvalidConfirmation>()("INVALID_TOKEN", {}) {
  override readonly message = "The confirmation is for another change, or it has expired. Make a new dry run."
}

/** Body of `POST /contacts/export`. */
export const ExportContacts = Schema.Struct({
  condition,
  segmentId,
  contactIds,
  format: optional(Schema.Literals(["csv", "ndjson"])).pipe(
    described("`csv`, or `ndjson`: one contact on each line. Default: `csv`.")
  )
}).annotate({ identifier: "ExportContacts" })
export type ExportContacts = typeof ExportContacts.Type

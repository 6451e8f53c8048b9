/** The suppression list: addresses of a project that get no mail of any type. */
import { Schema } from "effect"
import { ExportFormat } from "../../platform/Export.ts"
import {
  EmailAddress as Address,
  DateQuery,
  described,
  Id,
  listOf,
  Note,
  optional,
  Page,
  PageQuery,
  Search,
  Timestamp
} from "../../platform/Primitives.ts"

/** Why a contact does not take a mail: it is unsubscribed, it left the topic of the mail, or its snooze is open. */
export const TakingRefusal = Schema.Literals(["UNSUBSCRIBED", "TOPIC_UNSUBSCRIBED", "SNOOZED"])
export type TakingRefusal = typeof TakingRefusal.Type

/** Why the sending policy of the project refuses a mail. */
export const PolicyRefusal = Schema.Literals(["QUIET_HOURS", "FREQUENCY_CAP"])
export type PolicyRefusal = typeof PolicyRefusal.Type

export const SuppressionReason = Schema.Literals([
  ...TakingRefusal.literals,
  ...PolicyRefusal.literals,
  "HARD_BOUNCE",
  "COMPLAINT",
  "MANUAL"
])
export type SuppressionReason = typeof SuppressionReason.Type

/** Why an address is on the list. A contact that unsubscribed is not on the list. */
export const SuppressionCause = Schema.Literals(["HARD_BOUNCE", "COMPLAINT", "MANUAL"]).annotate({
  description: "Why the address gets no mail: it bounced permanently, its owner complained, or it was added by hand."
})
export type SuppressionCause = typeof SuppressionCause.Type

export const Suppression = Schema.Struct({
  id: Id,
  email: Schema.NullOr(Schema.String).pipe(
    described("The address. Null once its contact was erased; then only a keyed hash is stored.")
  ),
  reason: SuppressionCause,
  emailId: Schema.NullOr(Schema.String).pipe(described("The mail that bounced or was complained about.")),
  note: Schema.NullOr(Schema.String),
  createdAt: Timestamp
}).annotate({ identifier: "Suppression", description: "An address that gets no mail of any type." })
export type Suppression = typeof Suppression.Type

export const SuppressionPage = Page("SuppressionPage", Suppression)
export type SuppressionPage = typeof SuppressionPage.Type

const filters = {
  search: Schema.optionalKey(Search),
  reason: Schema.optionalKey(SuppressionCause),
  startDate: Schema.optionalKey(DateQuery).pipe(
    described("Suppressed at or after this date (`2026-03-01`) or date-time, ISO 8601.")
  ),
  endDate: Schema.optionalKey(DateQuery).pipe(
    described("Suppressed before this date-time, or until the end of this date.")
  )
}

export const SuppressionQuery = Schema.Struct({ ...PageQuery, ...filters })
export type SuppressionQuery = typeof SuppressionQuery.Type

export const SuppressionExportQuery = Schema.Struct({
  format: Schema.optionalKey(ExportFormat).pipe(described("`csv`, or `ndjson`: one suppression on each line.", "csv")),
  ...filters
})
export type SuppressionExportQuery = typeof SuppressionExportQuery.Type

/** Most addresses of one call. */
export const maxSuppressions = 1000

const addresses = listOf(
  Address,
  Schema.isMinLength(1, { code: "too_small", message: "At least one address." }),
  Schema.isMaxLength(maxSuppressions, { code: "too_big", message: `At most ${maxSuppressions} addresses.` })
)

export const AddSuppressions = Schema.Struct({
  email: optional(Address).pipe(described("One address; exactly one of `email` and `emails` is given.")),
  emails: optional(addresses).pipe(described("1 to 1,000 addresses.")),
  note: optional(Note(500)).pipe(described("Kept with the record."))
}).annotate({ identifier: "AddSuppressions" })
export type AddSuppressions = typeof AddSuppressions.Type

export const AddedSuppressions = Schema.Struct({
  added: Schema.Int.pipe(described("Addresses that were added.")),
  existing: Schema.Int.pipe(described("Addresses that were already on the list; unchanged."))
}).annotate({ identifier: "AddedSuppressions", description: "The result of adding a list of addresses." })
export type AddedSuppressions = typeof AddedSuppressions.Type

/** Exports of contacts as files, and of all data about one person. */
import { Schema } from "effect"
import { Email } from "../../mail/emails/Email.ts"
import { ExportFormat } from "../../platform/Export.ts"
import { described, Id, Search, Timestamp } from "../../platform/Primitives.ts"
import { Suppression } from "../suppressions/Suppression.ts"
import { Contact, ContactId } from "./Contact.ts"

export const ExportQuery = Schema.Struct({
  format: Schema.optionalKey(ExportFormat).pipe(described("`csv`, or `ndjson`: one contact on each line.", "csv")),
  search: Schema.optionalKey(Search),
  subscribed: Schema.optionalKey(Schema.Boolean),
  segmentId: Schema.optionalKey(Id).pipe(described("Only members of this segment."))
})
export type ExportQuery = typeof ExportQuery.Type

const HeldEvent = Schema.Struct({
  id: Id,
  name: Schema.String,
  emailId: Schema.NullOr(Schema.String),
  source: Schema.Literals(["tracked", "system"]),
  data: Schema.Json,
  createdAt: Timestamp
}).annotate({ identifier: "HeldEvent", description: "An event of the person." })

const HeldSegment = Schema.Struct({ id: Id, name: Schema.String }).annotate({
  identifier: "HeldSegment",
  description: "A segment that contains the person."
})

export const PersonalData = Schema.Struct({
  exportedAt: Timestamp,
  contact: Contact,
  events: Schema.Array(HeldEvent).pipe(described("Oldest first.")),
  emails: Schema.Array(Email).annotateKey({ description: "Records of mail to the person, oldest first." }),
  segments: Schema.Array(HeldSegment),
  executions: Schema.Array(Schema.Json),
  suppression: Schema.NullOr(Suppression)
}).annotate({ identifier: "PersonalData", description: "All stored data about one person." })
export type PersonalData = typeof PersonalData.Type

export const Erasure = Schema.Struct({
  contactId: ContactId,
  erasedAt: Timestamp,
  events: Schema.Int.pipe(described("Events that were removed.")),
  emails: Schema.Int.pipe(described("Mail records from which personal data was removed.")),
  executions: Schema.Int.pipe(described("Workflow executions that were removed.")),
  memberships: Schema.Int.pipe(described("Segment memberships that were removed."))
}).annotate({ identifier: "Erasure", description: "The number of records that were removed or anonymised." })
export type Erasure = typeof Erasure.Type

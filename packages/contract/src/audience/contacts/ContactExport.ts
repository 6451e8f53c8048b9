/** Exports of contacts as files, and of all data about one person. */
import { Schema } from "effect"
import { Email } from "../../mail/emails/Email.ts"
import { ExportFormat } from "../../platform/Export.ts"
import { described, Id, Search, Timestamp } from "../../platform/Primitives.ts"
import { Consent } from "../consents/Consent.ts"
import { OptIn } from "../optins/OptIn.ts"
import { PrivacyRequest } from "../privacy/PrivacyRequest.ts"
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
  createdAt: Timestamp,
  occurredAt: Timestamp
}).annotate({ identifier: "HeldEvent", description: "An event of the person." })

const HeldSegment = Schema.Struct({ id: Id, name: Schema.String }).annotate({
  identifier: "HeldSegment",
  description: "A segment that contains the person."
})

const HeldAlias = Schema.Struct({
  alias: Schema.String,
  verified: Schema.Boolean.pipe(described("Whether a server made it, and not a page with the public key.")),
  createdAt: Timestamp
}).annotate({ identifier: "HeldAlias", description: "A further id of the person." })

const HeldMessage = Schema.Struct({
  id: Id,
  personId: Schema.String,
  content: Schema.Json,
  receivedAt: Timestamp
}).annotate({ identifier: "HeldMessage", description: "An ingested message that waits under an id of the person." })

const CountedEmail = Schema.Struct({
  emailId: Id,
  topicId: Schema.NullOr(Schema.String),
  at: Timestamp
}).annotate({ identifier: "CountedEmail", description: "A mail that counts for the frequency caps of the project." })

const HeldAssignment = Schema.Struct({
  campaignId: Schema.NullOr(Id),
  variant: Schema.NullOr(Schema.String).pipe(described("The variant of the campaign that the person got.")),
  heldOut: Schema.Boolean.pipe(described("Whether the person is held out of the campaign.")),
  workflowId: Schema.NullOr(Id),
  stepId: Schema.NullOr(Schema.String).pipe(described("A `SPLIT` step.")),
  branch: Schema.NullOr(Schema.String).pipe(described("The branch of the step that the person took."))
}).annotate({ identifier: "HeldAssignment", description: "What the person was assigned to by chance." })

export const PersonalData = Schema.Struct({
  exportedAt: Timestamp,
  contact: Contact,
  events: Schema.Array(HeldEvent).pipe(described("Oldest first.")),
  emails: Schema.Array(Email).annotateKey({ description: "Records of mail to the person, oldest first." }),
  segments: Schema.Array(HeldSegment),
  executions: Schema.Array(Schema.Json),
  conversions: Schema.Array(Schema.Json).annotateKey({
    description: "Goals of workflows and campaigns that the person reached, oldest first."
  }),
  assignments: Schema.Array(HeldAssignment).annotateKey({
    description: "Variants and holdouts of campaigns, then branches of `SPLIT` steps."
  }),
  frequency: Schema.Array(CountedEmail).annotateKey({
    description: "Mails of the last 30 days that count for frequency caps, newest first."
  }),
  optIns: Schema.Array(OptIn).annotateKey({ description: "What the person was asked to confirm, newest first." }),
  suppression: Schema.NullOr(Suppression),
  consents: Schema.Array(Consent).annotateKey({ description: "Records of consent, oldest first." }),
  aliases: Schema.Array(HeldAlias).annotateKey({ description: "Further ids of the person, oldest first." }),
  heldMessages: Schema.Array(HeldMessage).annotateKey({
    description: "Ingested messages that wait until their id is tied to a contact, oldest first."
  }),
  mergedIds: Schema.Array(Id).annotateKey({ description: "Ids of contacts that this one has taken the place of." }),
  privacyRequests: Schema.Array(PrivacyRequest).annotateKey({
    description: "What the person asked about their data, newest first."
  })
}).annotate({ identifier: "PersonalData", description: "All stored data about one person." })
export type PersonalData = typeof PersonalData.Type

export const Erasure = Schema.Struct({
  contactId: ContactId,
  erasedAt: Timestamp,
  events: Schema.Int.pipe(described("Events that were removed.")),
  emails: Schema.Int.pipe(described("Mail records from which personal data was removed.")),
  executions: Schema.Int.pipe(described("Workflow executions that were removed.")),
  memberships: Schema.Int.pipe(described("Segment memberships that were removed.")),
  consents: Schema.Int.pipe(described("Records of consent and privacy requests that keep no name of the person."))
}).annotate({ identifier: "Erasure", description: "The number of records that were removed or anonymised." })
export type Erasure = typeof Erasure.Type

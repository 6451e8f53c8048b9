/** A segment: a named group of contacts, by a condition or by hand. */
import { Schema } from "effect"
import { ProjectId } from "../../platform/Auth.ts"
import {
  body,
  described,
  EmailAddress,
  Id,
  IfUpdatedAt,
  listOf,
  Name,
  Note,
  OffsetPage,
  OffsetQuery,
  optional,
  required,
  Timestamp
} from "../../platform/Primitives.ts"
import { Contact } from "../contacts/Contact.ts"
import { FilterTree } from "../filters/FilterTree.ts"
import { TopicStates } from "../topics/TopicStates.ts"
import { conditionByType, conditionForLater } from "./SegmentCondition.ts"

export const SegmentId = Id.pipe(Schema.brand("SegmentId"))
export type SegmentId = typeof SegmentId.Type

export const SegmentType = Schema.Literals(["DYNAMIC", "STATIC"]).annotate({
  description: "`DYNAMIC`: the contacts that match its condition. `STATIC`: contacts that were added by hand."
})
export type SegmentType = typeof SegmentType.Type

export const Segment = Schema.Struct({
  id: SegmentId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String).pipe(described("Internal note.")),
  type: SegmentType,
  condition: Schema.NullOr(FilterTree).annotateKey({ description: "Of a dynamic segment; `null` for a static one." }),
  trackMembership: Schema.Boolean.pipe(
    described("When true, `segment.<slug>.entry` and `segment.<slug>.exit` are emitted as contacts join and leave.")
  ),
  memberCount: Schema.Int.pipe(
    described("The last count. Counted at every change of a static segment, and at least every 5 minutes for others.")
  ),
  slug: Schema.String.pipe(described("Part of the names of its events. Created from the first name; never changes.")),
  projectId: ProjectId,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Segment", description: "A named group of contacts." })
export type Segment = typeof Segment.Type

const nameText = "1 to 100 characters on one line."
const noteText = "Internal note, at most 500 characters."
const conditionText = "Required for a dynamic segment; ignored for a static one."
const trackText = "Emit events as contacts join and leave."
const silentText =
  "If this request turns tracking on, the contacts that match now become members without events. Only later joins and leaves emit events."

/** Body of `POST /segments`. `null` counts as absent. */
export const CreateSegment = Schema.Struct({
  name: required(Name(100)).pipe(described(nameText)),
  description: optional(Note(500)).pipe(described(noteText)),
  type: optional(SegmentType).annotateKey({ description: "Absent: `DYNAMIC`. Fixed after creation." }),
  condition: optional(FilterTree).annotateKey({ description: conditionText }),
  trackMembership: optional(Schema.Boolean).pipe(described(trackText)),
  silentStart: optional(Schema.Boolean).pipe(described(silentText))
})
  .check(
    Schema.makeFilter(({ condition, type }) => type === "STATIC" || (condition !== undefined && condition !== null))
  )
  .annotate({ identifier: "CreateSegment" })
  .pipe(body, conditionByType)
export type CreateSegment = typeof CreateSegment.Type

/** Body of `PATCH /segments/{id}`. An absent field stays. `null` clears the description. */
export const UpdateSegment = Schema.Struct({
  name: Schema.optionalKey(Name(100)).pipe(described(nameText)),
  description: optional(Note(500)).pipe(described(noteText)),
  condition: Schema.optionalKey(FilterTree).annotateKey({
    description: "Of a dynamic segment; ignored for a static one."
  }),
  trackMembership: Schema.optionalKey(Schema.Boolean).pipe(described(trackText)),
  silentStart: optional(Schema.Boolean).pipe(described(silentText)),
  ifUpdatedAt: IfUpdatedAt
})
  .annotate({ identifier: "UpdateSegment" })
  .pipe(body, conditionForLater)
export type UpdateSegment = typeof UpdateSegment.Type

const Emails = listOf(
  EmailAddress,
  Schema.isMinLength(1, { code: "too_small", message: "At least one address." }),
  Schema.isMaxLength(1_000, { code: "too_big", message: "At most 1000 addresses." })
)
const emailsText = "1 to 1,000 addresses; duplicates count once."

/** Body of `POST /segments/{id}/members`. */
export const AddMembers = Schema.Struct({
  emails: required(Emails).pipe(described(emailsText)),
  createMissing: optional(Schema.Boolean).pipe(described("Create a contact for each address that has none.")),
  subscribed: optional(Schema.Boolean).pipe(described("State of created contacts. Default: subscribed.")),
  topics: optional(TopicStates).annotateKey({ description: "What created contacts said about topics." })
}).annotate({ identifier: "AddMembers" })
export type AddMembers = typeof AddMembers.Type

/** Body of `DELETE /segments/{id}/members`. */
export const RemoveMembers = Schema.Struct({
  emails: required(Emails).pipe(described(emailsText))
}).annotate({ identifier: "RemoveMembers" })
export type RemoveMembers = typeof RemoveMembers.Type

export const AddedMembers = Schema.Struct({
  added: Schema.Int.pipe(described("New members, including those whose contact was created.")),
  created: Schema.Int.pipe(described("Contacts that were created.")),
  alreadyMembers: Schema.Int,
  notFound: Schema.Array(Schema.String).pipe(described("Addresses that have no contact."))
}).annotate({ identifier: "AddedMembers", description: "The result for the addresses." })
export type AddedMembers = typeof AddedMembers.Type

export const RemovedMembers = Schema.Struct({
  removed: Schema.Int,
  notFound: Schema.Array(Schema.String).pipe(described("Addresses that were not members."))
}).annotate({ identifier: "RemovedMembers", description: "The result for the addresses." })
export type RemovedMembers = typeof RemovedMembers.Type

export const ComputedSegment = Schema.Struct({
  added: Schema.Int.pipe(described("Contacts that joined.")),
  removed: Schema.Int.pipe(described("Contacts that left.")),
  total: Schema.Int.pipe(described("Members now."))
}).annotate({ identifier: "ComputedSegment", description: "How many contacts joined and left." })
export type ComputedSegment = typeof ComputedSegment.Type

export const RefreshedSegment = Schema.Struct({ memberCount: Schema.Int }).annotate({
  identifier: "RefreshedSegment",
  description: "The count."
})
export type RefreshedSegment = typeof RefreshedSegment.Type

export const SegmentContactQuery = Schema.Struct(OffsetQuery)
export type SegmentContactQuery = typeof SegmentContactQuery.Type

export const SegmentContactPage = OffsetPage("SegmentContactPage", Contact)
export type SegmentContactPage = typeof SegmentContactPage.Type

export const ContactSegment = Schema.Struct({
  id: SegmentId,
  name: Schema.String,
  type: SegmentType,
  since: Schema.NullOr(Timestamp).pipe(
    described("When the contact joined. Null if joins were not recorded: of a dynamic segment without tracking.")
  )
}).annotate({ identifier: "ContactSegment", description: "A segment that contains the contact now." })
export type ContactSegment = typeof ContactSegment.Type

export class SegmentNotFound extends Schema.TaggedError<SegmentNotFound>()("SEGMENT_NOT_FOUND", {
  resource: Schema.tag("segment"),
  id: Schema.String
}) {
  override readonly message = `No segment ${this.id} in this project.`
}

/** A request of a recipient about their data: to get them, or to have them erased. */
import { Schema } from "effect"
import { described, Id, Page, PageQuery, required, Timestamp, Trimmed } from "../../platform/Primitives.ts"
import { ContactId } from "../contacts/Contact.ts"

export const PrivacyRequestId = Id.pipe(Schema.brand("PrivacyRequestId"))
export type PrivacyRequestId = typeof PrivacyRequestId.Type

export const PrivacyRequestType = Schema.Literals(["EXPORT", "ERASURE"])
export type PrivacyRequestType = typeof PrivacyRequestType.Type

export const PrivacyRequestStatus = Schema.Literals(["UNCONFIRMED", "OPEN", "DONE", "REFUSED", "EXPIRED"])
export type PrivacyRequestStatus = typeof PrivacyRequestStatus.Type

export const PrivacyRequest = Schema.Struct({
  id: PrivacyRequestId,
  type: PrivacyRequestType.pipe(described("`EXPORT`: a copy of the data. `ERASURE`: their deletion.")),
  status: PrivacyRequestStatus.pipe(
    described(
      "`UNCONFIRMED` waits for the link in the mail to the contact. `OPEN`: a confirmed erasure waits for you. `EXPIRED`: not confirmed within 24 hours."
    )
  ),
  contactId: Schema.NullOr(ContactId).pipe(described("Null once the person is erased.")),
  email: Schema.NullOr(Schema.String).pipe(described("The address that got the mail. Null once the person is erased.")),
  requestedAt: Timestamp,
  confirmedAt: Schema.NullOr(Timestamp),
  dueAt: Schema.NullOr(Timestamp).pipe(described("30 days after the confirmation of an erasure that waits for you.")),
  completedAt: Schema.NullOr(Timestamp).pipe(described("When it was done or refused.")),
  note: Schema.NullOr(Schema.String).pipe(described("Why it was refused, as mailed to the person."))
}).annotate({ identifier: "PrivacyRequest", description: "A request of a recipient about their data." })
export type PrivacyRequest = typeof PrivacyRequest.Type

export const PrivacyRequestQuery = Schema.Struct({
  ...PageQuery,
  status: Schema.optionalKey(PrivacyRequestStatus).pipe(described("Only those with this status.")),
  type: Schema.optionalKey(PrivacyRequestType).pipe(described("Only those of this type."))
})
export type PrivacyRequestQuery = typeof PrivacyRequestQuery.Type

export const PrivacyRequestPage = Page("PrivacyRequestPage", PrivacyRequest)
export type PrivacyRequestPage = typeof PrivacyRequestPage.Type

/** Body of `POST /privacy-requests/{id}/refuse`. */
export const RefusePrivacyRequest = Schema.Struct({
  note: required(
    Trimmed(1, 500).check(Schema.isPattern(/^[\P{Cc}\t\n\r]*$/u, { message: "Must not contain control characters." }))
  ).pipe(described("Why, 1 to 500 characters. It is mailed to the person."))
}).annotate({ identifier: "RefusePrivacyRequest" })
export type RefusePrivacyRequest = typeof RefusePrivacyRequest.Type

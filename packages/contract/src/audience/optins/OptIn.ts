/** An opt-in: the question to a contact, by mail, whether it wants the mail that was asked for. */
import { Schema } from "effect"
import {
  DateQuery,
  described,
  HttpsUrl,
  Id,
  isLength,
  optional,
  Page,
  PageQuery,
  Timestamp
} from "../../platform/Primitives.ts"
import { GivenConsent } from "../consents/GivenConsent.ts"
import { ContactId, ContactSource } from "../contacts/Contact.ts"
import { OptInId, OptInStatus } from "./RequestedOptIn.ts"

export const OptIn = Schema.Struct({
  id: OptInId,
  contactId: Schema.NullOr(ContactId).pipe(described("Null once the contact is gone.")),
  email: Schema.NullOr(Schema.String).pipe(described("Null once the contact is gone, or has declined.")),
  status: OptInStatus.pipe(
    described(
      "`PENDING` waits for the contact. `DECLINED`: it was not the owner of the address. `CANCELLED`: unsubscribed, deleted or moved to another address meanwhile, or ended by a call."
    )
  ),
  subscribe: Schema.Boolean.pipe(described("Whether it asks for `subscribed`.")),
  topics: Schema.Array(Schema.String).pipe(described("Keys of the topics that it asks for.")),
  source: ContactSource.pipe(described("What asked.")),
  formId: Schema.NullOr(Id),
  mailsSent: Schema.Int.pipe(described("How many confirmation mails were stored.")),
  lastMailAt: Schema.NullOr(Timestamp),
  emailIds: Schema.Array(Id).pipe(described("The confirmation mails, oldest first.")),
  requestedAt: Timestamp,
  expiresAt: Timestamp.pipe(described("From then on its links do nothing. Asking again moves it.")),
  settledAt: Schema.NullOr(Timestamp).pipe(described("When it ended."))
}).annotate({ identifier: "OptIn", description: "A request to confirm a subscription." })
export type OptIn = typeof OptIn.Type

/** Body of `POST /contacts/{id}/opt-in`. `null` counts as absent. */
export const RequestOptIn = Schema.Struct({
  subscribe: optional(Schema.Boolean).pipe(described("Whether to ask for `subscribed`. False needs topics.", "true")),
  topics: optional(
    Schema.Array(Schema.String.check(isLength(1, 100))).check(
      Schema.isMaxLength(100, { message: "At most 100 topics." })
    )
  ).pipe(described("Keys or ids of the topics to ask for.")),
  templateId: optional(Id).pipe(
    described("A TRANSACTIONAL template whose body has `{{confirmUrl}}`. Absent: that of the settings.")
  ),
  redirectUrl: optional(HttpsUrl).pipe(
    described("Where the browser goes after the confirmation. Absent: that of the settings, else a page.")
  ),
  consent: optional(GivenConsent).annotateKey({ description: "What proves that the person asked for it." })
}).annotate({ identifier: "RequestOptIn" })
export type RequestOptIn = typeof RequestOptIn.Type

export const OptInQuery = Schema.Struct({
  ...PageQuery,
  status: Schema.optionalKey(OptInStatus).pipe(described("Only those with this status.")),
  source: Schema.optionalKey(ContactSource).pipe(described("Only those that this asked for.")),
  startDate: Schema.optionalKey(DateQuery).pipe(
    described("Requested at or after this date (`2026-03-01`) or date-time, ISO 8601.")
  ),
  endDate: Schema.optionalKey(DateQuery).pipe(
    described("Requested before this date-time, or until the end of this date.")
  )
})
export type OptInQuery = typeof OptInQuery.Type

export const OptInPage = Page("OptInPage", OptIn)
export type OptInPage = typeof OptInPage.Type

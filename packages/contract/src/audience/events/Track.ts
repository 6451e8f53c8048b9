/** `POST /v1/track`: records what a contact did. */
import { Schema } from "effect"
import { TrackableEvent } from "../../events/EventName.ts"
import { described, EmailAddress, optional, required, Timestamp } from "../../platform/Primitives.ts"
import { ContactData } from "../contacts/Contact.ts"

export const TrackEvent = Schema.Struct({
  email: required(EmailAddress),
  event: required(TrackableEvent).pipe(
    described(
      "Name of the event, trimmed, 1 to 255 characters, case-sensitive. Reserved: `email.*`, `contact.subscribed`, `contact.unsubscribed`, `segment.<slug>.entry`, `segment.<slug>.exit`."
    )
  ),
  subscribed: optional(Schema.Boolean).pipe(
    described("Absent: a new contact is subscribed, an existing one keeps its state.")
  ),
  data: optional(ContactData),
  preserveExistingSubscription: optional(Schema.Boolean).pipe(
    described("When true, `subscribed` applies only if this call creates the contact.")
  )
}).annotate({ identifier: "TrackEvent" })
export type TrackEvent = typeof TrackEvent.Type

export const TrackedEvent = Schema.Struct({
  success: Schema.Literal(true),
  data: Schema.Struct({
    contact: Schema.String.pipe(
      described("Id of the contact; its address if the `publicKeyPolicy` of the project has `overwrite` off.")
    ),
    event: Schema.String.pipe(described("Id of the event.")),
    timestamp: Timestamp
  })
}).annotate({ identifier: "TrackedEvent", description: "The event is recorded." })
export type TrackedEvent = typeof TrackedEvent.Type

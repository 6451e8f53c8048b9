/** `POST /v1/track`: records what a contact did. */
import { Schema } from "effect"
import { TrackableEvent } from "../../events/EventName.ts"
import { described, EmailAddress, optional, required, Timestamp, TimestampInput } from "../../platform/Primitives.ts"
import { GivenConsent } from "../consents/GivenConsent.ts"
import { ContactData, ExternalId, isNamed } from "../contacts/Contact.ts"
import { DoubleOptIn } from "../optins/RequestedOptIn.ts"
import { TopicStates } from "../topics/TopicStates.ts"

export const TrackEvent = Schema.Struct({
  email: optional(EmailAddress).pipe(described("Required unless a contact has the `externalId`.")),
  externalId: optional(ExternalId).pipe(
    described(
      "The caller's own id of the contact. With the secret key as in `POST /contacts`. With the public key it only finds a contact, before the address does; a new id is kept as an unverified id of the contact with the address, and finds it for the public key alone."
    )
  ),
  event: required(TrackableEvent).pipe(
    described(
      "Name of the event, trimmed, 1 to 255 characters, case-sensitive. Reserved: `email.*`, `contact.subscribed`, `contact.unsubscribed`, `segment.<slug>.entry`, `segment.<slug>.exit`."
    )
  ),
  subscribed: optional(Schema.Boolean).pipe(
    described("Absent: a new contact is subscribed, an existing one keeps its state.")
  ),
  doubleOptIn: DoubleOptIn,
  topics: optional(TopicStates),
  consent: optional(GivenConsent),
  data: optional(ContactData),
  occurredAt: optional(TimestampInput).pipe(
    described(
      "When it happened, at most 10 years ago. Absent: now. An event more than 24 hours old is history: filters see it, but it starts no workflow, ends no wait and reaches no webhook."
    )
  ),
  preserveExistingSubscription: optional(Schema.Boolean).pipe(
    described("When true, `subscribed` applies only if this call creates the contact.")
  )
})
  .check(isNamed)
  .annotate({ identifier: "TrackEvent" })
export type TrackEvent = typeof TrackEvent.Type

export const TrackedEvent = Schema.Struct({
  success: Schema.Literal(true),
  data: Schema.Struct({
    contact: Schema.String.pipe(
      described(
        "Id of the contact; the address or id of the request if the `publicKeyPolicy` of the project has `overwrite` off."
      )
    ),
    event: Schema.String.pipe(described("Id of the event.")),
    timestamp: Timestamp
  })
}).annotate({ identifier: "TrackedEvent", description: "The event is recorded." })
export type TrackedEvent = typeof TrackedEvent.Type

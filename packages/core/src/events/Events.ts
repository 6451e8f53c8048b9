/** What contacts do, told by callers (contract 9). */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { ContactId } from "@posthorn/contract/contacts/Contact"
import type { ValidationError } from "@posthorn/contract/Errors"
import type { TrackEvent } from "@posthorn/contract/v1/Track"
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Contacts } from "../contacts/Contacts.ts"
import { trackedData } from "../contacts/DataChange.ts"
import { Transaction } from "../Transaction.ts"
import { EventNudge } from "./EventNudge.ts"
import { RecordedEvents } from "./RecordedEvents.ts"

export interface Tracked {
  readonly contact: ContactId
  readonly event: string
  readonly timestamp: DateTime.Utc
}

export class Events extends Context.Service<
  Events,
  {
    /**
     * Creates or changes the contact and records the event, both or neither; the event then waits to be dispatched.
     * Where the connection is lost meanwhile, the answer tells what is on record. A new contact is subscribed unless the
     * call says otherwise.
     */
    readonly track: (project: ProjectId, input: TrackEvent) => Effect.Effect<Tracked, ValidationError>
  }
>()("@posthorn/core/events/Events") {}

type Needs = Contacts | EventNudge | RecordedEvents | SecureRandom.SecureRandom | Transaction

export const layer: Layer.Layer<Events, never, Needs> = Layer.effect(
  Events,
  Effect.gen(function* () {
    const contacts = yield* Contacts
    const nudge = yield* EventNudge
    const random = yield* SecureRandom.SecureRandom
    const recorded = yield* RecordedEvents
    const transaction = yield* Transaction

    const track = Effect.fn("Events.track")(function* (project: ProjectId, input: TrackEvent) {
      const timestamp = yield* DateTime.now
      const id = yield* random.uuidV7()
      const { email, event: name, data } = input
      const given = input.subscribed ?? undefined
      const subscribed = input.preserveExistingSubscription ? undefined : given
      const event = { id, name, data: data ? trackedData(data) : null }
      const touch = { email, subscribed, subscribedWhenNew: given ?? true, data: data ?? {}, event }
      const contact = yield* transaction.orFind(
        Effect.map(contacts.touch(project, touch, { reason: "track" }), ({ contact }) => contact.id),
        recorded.contactOf(project, id)
      )
      yield* transaction.afterCommit(nudge.wake)
      return { contact, event: id, timestamp }
    })

    return Events.of({ track })
  })
)

/** Tracks events of contacts for callers. */

import type { PublicKeyPolicy } from "@posthorn/contract/accounts/projects/Project"
import type { TrackEvent } from "@posthorn/contract/audience/events/Track"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { ValidationError } from "@posthorn/contract/platform/Errors"
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import * as RecordedEvents from "../../events/RecordedEvents.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { trackedData } from "../contacts/DataChange.ts"

export interface Tracked {
  /** The id of the contact, or its address if the public key policy hides whether it existed. */
  readonly contact: string
  readonly event: string
  readonly timestamp: DateTime.Utc
}

/** A service, because HTTP handlers call it. */
export class Events extends Context.Service<
  Events,
  {
    /**
     * Creates or changes the contact and records the event, both or neither. The event then waits to be dispatched. If
     * the connection is lost during the call, the response states what was recorded. A new contact is subscribed unless
     * the call says otherwise. With the policy of the public key, the call does only what the policy allows.
     */
    readonly track: (
      project: ProjectId,
      input: TrackEvent,
      policy?: PublicKeyPolicy
    ) => Effect.Effect<Tracked, ValidationError>
  }
>()("@posthorn/core/audience/events/Events") {}

type Needs = Contacts | SecureRandom.SecureRandom | SqlClient.SqlClient | Transaction | Wakeups

export const layer: Layer.Layer<Events, never, Needs> = Layer.effect(
  Events,
  Effect.gen(function* () {
    const contacts = yield* Contacts
    const { events: wakeup } = yield* Wakeups
    const random = yield* SecureRandom.SecureRandom
    const recorded = yield* RecordedEvents.make
    const transaction = yield* Transaction

    const track = Effect.fn("Events.track")(function* (
      project: ProjectId,
      input: TrackEvent,
      policy?: PublicKeyPolicy
    ) {
      const timestamp = yield* DateTime.now
      const id = yield* random.uuidV7()
      const { email, event: name, data } = input
      const given = input.subscribed ?? undefined
      if (given === true && policy?.subscribe === false) {
        const message = "The public key of this project may not subscribe contacts."
        return yield* ValidationError.one("subscribed", "custom", message)
      }
      const subscribed = input.preserveExistingSubscription ? undefined : given
      const event = { id, name, data: data ? trackedData(data) : null }
      const touch = {
        email,
        subscribed,
        subscribedWhenNew: given ?? policy?.subscribe ?? true,
        data: data ?? {},
        event,
        ...(policy?.overwrite === false && { keepKnown: true })
      }
      const contact = yield* transaction.orFind(
        Effect.map(contacts.touch(project, touch, { reason: "track" }), ({ contact }) => contact.id),
        recorded.contactOf(project, id)
      )
      yield* transaction.afterCommit(wakeup.wake)
      // An id would reveal whether the contact already existed.
      return { contact: policy?.overwrite === false ? email : contact, event: id, timestamp }
    })

    return Events.of({ track })
  })
)

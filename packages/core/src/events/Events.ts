/** What contacts do, told by callers (contract 9). */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { ContactId } from "@posthorn/contract/contacts/Contact"
import type { ValidationError } from "@posthorn/contract/Errors"
import type { TrackEvent } from "@posthorn/contract/v1/Track"
import { Context, DateTime, Effect, Layer } from "effect"
import { Contacts } from "../contacts/Contacts.ts"
import { trackedData } from "../contacts/DataChange.ts"
import { Transaction } from "../Transaction.ts"
import { EventLog } from "./EventLog.ts"

export interface Tracked {
  readonly contact: ContactId
  readonly event: string
  readonly timestamp: DateTime.Utc
}

export class Events extends Context.Service<
  Events,
  {
    /**
     * Creates or changes the contact and records the event, in one transaction; the event then waits to be dispatched.
     * A new contact is subscribed unless the call says otherwise.
     */
    readonly track: (project: ProjectId, input: TrackEvent) => Effect.Effect<Tracked, ValidationError>
  }
>()("@posthorn/core/events/Events") {}

export const layer: Layer.Layer<Events, never, Contacts | EventLog | Transaction> = Layer.effect(
  Events,
  Effect.gen(function* () {
    const contacts = yield* Contacts
    const log = yield* EventLog
    const transaction = yield* Transaction

    const track = Effect.fn("Events.track")(function* (project: ProjectId, input: TrackEvent) {
      const timestamp = yield* DateTime.now
      const { email, event: name, data } = input
      const given = input.subscribed ?? undefined
      const subscribed = input.preserveExistingSubscription ? undefined : given
      const { contact } = yield* contacts.touch(
        project,
        { email, subscribed, subscribedWhenNew: given ?? true, data: data ?? {} },
        { reason: "track" }
      )
      const event = { contact: contact.id, name, source: "tracked", data: data ? trackedData(data) : null } as const
      const [id = ""] = yield* log.record(project, [event], timestamp)
      return { contact: contact.id, event: id, timestamp }
    }, transaction.run)

    return Events.of({ track })
  })
)

/** Tracks events of contacts for callers. */

import type { PublicKeyPolicy } from "@posthorn/contract/accounts/projects/Project"
import type { EmailAlreadyExists } from "@posthorn/contract/audience/contacts/Contact"
import type { TrackEvent } from "@posthorn/contract/audience/events/Track"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type Conflict, ValidationError } from "@posthorn/contract/platform/Errors"
import { DateTime, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import * as RecordedEvents from "../../events/RecordedEvents.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import * as ConsentProofs from "../consents/ConsentProofs.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { trackedData } from "../contacts/DataChange.ts"
import { AddressMissing } from "../contacts/Identity.ts"
import type { AudienceRules } from "../settings/AudienceRules.ts"
import { Topics } from "../topics/Topics.ts"

export interface Tracked {
  /** The id of the contact, or its address if the public key policy hides whether it existed. */
  readonly contact: string
  readonly event: string
  readonly timestamp: DateTime.Utc
}

export interface Events {
  /**
   * Creates or changes the contact and records the event, both or neither. The event then waits to be dispatched. If
   * the connection is lost during the call, the response states what was recorded. A new contact is subscribed unless
   * the call says otherwise. With the policy of the public key, the call does only what the policy allows.
   */
  readonly track: (
    project: ProjectId,
    input: TrackEvent,
    policy?: PublicKeyPolicy
  ) => Effect.Effect<Tracked, Conflict | EmailAlreadyExists | ValidationError>
  /**
   * What the limits of a call with the public key count: the address of the contact that it means, or else the id of
   * the call.
   */
  readonly named: (project: ProjectId, input: TrackEvent) => Effect.Effect<string>
}

/** The oldest event that a caller may record. */
const maxAge = { years: 10 }
/** How far the clock of a caller may be ahead. */
const maxAhead = { minutes: 5 }

/** Whether an event of this time is history: stored, without reactions. */
export const isHistory = (occurredAt: DateTime.Utc, now: DateTime.Utc): boolean =>
  DateTime.isLessThan(occurredAt, DateTime.subtract(now, { hours: 24 }))

/** A time just ahead is now: nothing is recorded before it happens. */
const timesOf = Effect.fnUntraced(function* ({ occurredAt }: TrackEvent, now: DateTime.Utc) {
  if (occurredAt == null) return {}
  const refused = (code: "too_big" | "too_small", message: string) => ValidationError.one("occurredAt", code, message)
  if (DateTime.isLessThan(occurredAt, DateTime.subtract(now, maxAge))) {
    return yield* refused("too_small", "At most 10 years ago.")
  }
  if (DateTime.isGreaterThan(occurredAt, DateTime.add(now, maxAhead))) {
    return yield* refused("too_big", "At most 5 minutes ahead.")
  }
  return {
    occurredAt: DateTime.min(occurredAt, now),
    isHistory: isHistory(occurredAt, now)
  }
})

const addressRequired = () =>
  Effect.fail(ValidationError.one("email", "required", "Required, because no contact has the `externalId`."))

export type Needs =
  | AudienceRules
  | Contacts
  | SecureRandom.SecureRandom
  | SqlClient.SqlClient
  | Topics
  | Transaction
  | Wakeups

export const make: Effect.Effect<Events, never, Needs> = Effect.gen(function* () {
  const contacts = yield* Contacts
  const { events: wakeup } = yield* Wakeups
  const random = yield* SecureRandom.SecureRandom
  const allTopics = yield* Topics
  const proofs = yield* ConsentProofs.make
  const recorded = yield* RecordedEvents.make
  const transaction = yield* Transaction

  const track = Effect.fn("Events.track")(
    function* (project: ProjectId, input: TrackEvent, policy?: PublicKeyPolicy) {
      const timestamp = yield* DateTime.now
      const id = yield* random.uuidV7()
      const { event: name, data } = input
      const [email, externalId] = [input.email ?? undefined, input.externalId ?? undefined]
      const given = input.subscribed ?? undefined
      if (given === true && policy?.subscribe === false) {
        const message = "The public key of this project may not subscribe contacts."
        return yield* ValidationError.one("subscribed", "custom", message)
      }
      if (input.doubleOptIn === false && policy !== undefined) {
        return yield* ValidationError.one("doubleOptIn", "custom", "The public key may not skip the confirmation.")
      }
      const subscribed = input.preserveExistingSubscription ? undefined : given
      const event = { id, name, data: data ? trackedData(data) : null, ...(yield* timesOf(input, timestamp)) }
      const topics = yield* allTopics.readStates(project, input.topics, { isPublic: policy !== undefined })
      const proof = yield* proofs.read(project, input.consent, policy !== undefined)
      const touch = {
        topics,
        proof,
        subscribed,
        subscribedWhenNew: given ?? policy?.subscribe ?? true,
        data: data ?? {},
        asking: {
          isPublic: policy !== undefined,
          call: input.doubleOptIn,
          newContact: given === true && subscribed === undefined
        },
        event,
        ...(policy?.overwrite === false && { keepKnown: true })
      }
      const cause = { reason: "track" } as const
      const write =
        externalId !== undefined
          ? (policy === undefined ? contacts.touchNamed : contacts.touchPublic)(
              project,
              { ...touch, email, externalId },
              cause
            )
          : email !== undefined
            ? contacts.touch(project, { ...touch, email }, cause)
            : new AddressMissing()
      const contact = yield* transaction.orFind(
        Effect.map(write, ({ contact }) => contact.id),
        recorded.contactOf(project, id)
      )
      yield* transaction.afterCommit(wakeup.wake)
      // An id would reveal whether the contact already existed.
      return { contact: policy?.overwrite === false ? (email ?? externalId ?? "") : contact, event: id, timestamp }
    },
    Effect.catchTag("AddressMissing", addressRequired)
  )

  const named = Effect.fn("Events.named")(function* (project: ProjectId, { email, externalId }: TrackEvent) {
    if (externalId == null) return email ?? ""
    const found = yield* contacts.findPublic(project, externalId)
    return Option.match(found, { onNone: () => email ?? externalId, onSome: (contact) => contact.email })
  })

  return { track, named } satisfies Events
})

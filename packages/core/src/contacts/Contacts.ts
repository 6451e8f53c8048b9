/** The audience, one contact at a time (contract 12). */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { ContactData } from "@posthorn/contract/contacts/Contact"
import {
  type Contact,
  type ContactId,
  ContactNotFound,
  type ContactPage,
  type ContactQuery,
  type EmailAlreadyExists,
  type UpdateContact,
  type UpsertContact
} from "@posthorn/contract/contacts/Contact"
import type { InvalidCursor, ValidationError } from "@posthorn/contract/Errors"
import { pageSize } from "@posthorn/contract/Wire"
import { Array, Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { byCreation, cursorPage } from "../CursorPages.ts"
import { Cursors } from "../Cursors.ts"
import { Ledger } from "../emails/Ledger.ts"
import { EventLog } from "../events/EventLog.ts"
import { Memberships } from "../segments/Memberships.ts"
import { Transaction } from "../Transaction.ts"
import { type Changed, ContactStore, type SubscriptionCause, type Upserted } from "./ContactStore.ts"
import { dataChange } from "./DataChange.ts"
import { type DataTooLarge, dataTooLarge } from "./DataTooLarge.ts"
import { type Touch, upsertOf } from "./Touch.ts"

export class Contacts extends Context.Service<
  Contacts,
  {
    /** Creates the contact with this address, or changes it; parallel first calls give one new contact. */
    readonly upsert: (project: ProjectId, input: UpsertContact) => Effect.Effect<Upserted, ValidationError>
    /** Creates or changes many, and records their events, in one statement; distinct addresses; in no particular order. */
    readonly touchAll: (
      project: ProjectId,
      touches: Array.NonEmptyReadonlyArray<Touch>,
      cause: SubscriptionCause
    ) => Effect.Effect<Array.NonEmptyReadonlyArray<Upserted>, ValidationError>
    /** The same for very many; tells how many were new. */
    readonly touchMany: (
      project: ProjectId,
      touches: Array.NonEmptyReadonlyArray<Touch>,
      cause: SubscriptionCause
    ) => Effect.Effect<number, ValidationError>
    readonly touch: (
      project: ProjectId,
      touch: Touch,
      cause: SubscriptionCause
    ) => Effect.Effect<Upserted, ValidationError>
    /** Unsubscribes the contact that has this address now, if there is one. */
    readonly unsubscribeAddress: (project: ProjectId, email: string, cause: SubscriptionCause) => Effect.Effect<void>
    /** Sets the subscription of one contact for any reason; true when that changed it, with its event. */
    readonly setSubscribed: (
      project: ProjectId,
      id: ContactId,
      subscribed: boolean,
      cause: SubscriptionCause
    ) => Effect.Effect<boolean, ContactNotFound>
    /**
     * Changes data and subscription of one contact for any reason, and tells of the events that this made. In a
     * transaction a merge that is too large leaves nothing but its failure: see `Transaction.attempt`.
     */
    readonly alter: (
      project: ProjectId,
      id: ContactId,
      change: { readonly data: ContactData; readonly subscribed: boolean | undefined },
      cause: SubscriptionCause
    ) => Effect.Effect<
      { readonly contact: Contact; readonly events: ReadonlyArray<string> },
      ContactNotFound | DataTooLarge
    >
    /** One page; each contact that lives through the whole walk appears exactly once. */
    readonly list: (project: ProjectId, query: ContactQuery) => Effect.Effect<ContactPage, InvalidCursor>
    readonly get: (project: ProjectId, id: ContactId) => Effect.Effect<Contact, ContactNotFound>
    /** Changes the given fields. A flip of `subscribed` and its event commit together. */
    readonly update: (
      project: ProjectId,
      id: ContactId,
      input: UpdateContact
    ) => Effect.Effect<Contact, ContactNotFound | EmailAlreadyExists | ValidationError>
    /** Deletes the contact and what hangs on it, for good; its mail that has not left is cancelled. */
    readonly delete: (project: ProjectId, id: ContactId) => Effect.Effect<void, ContactNotFound>
  }
>()("@posthorn/core/contacts/Contacts") {}

export const layer: Layer.Layer<
  Contacts,
  never,
  ContactStore | Cursors | EventLog | Ledger | Memberships | SecureRandom.SecureRandom | Transaction
> = Layer.effect(
  Contacts,
  Effect.gen(function* () {
    const store = yield* ContactStore
    const cursors = yield* Cursors
    const events = yield* EventLog
    const ledger = yield* Ledger
    const memberships = yield* Memberships
    const random = yield* SecureRandom.SecureRandom
    const transaction = yield* Transaction

    const recordFlips = (
      project: ProjectId,
      changed: ReadonlyArray<Changed>,
      cause: SubscriptionCause,
      now: DateTime.Utc
    ) =>
      events.record(
        project,
        changed
          .filter(({ flipped }) => flipped)
          .map(({ contact: { id, subscribed } }) => ({
            contact: id,
            email: cause.emailId,
            name: subscribed ? "contact.subscribed" : "contact.unsubscribed",
            source: "system",
            data: { ...cause }
          })),
        now
      )

    const touchAll = Effect.fn("Contacts.touchAll")(
      function* (project: ProjectId, touches: Array.NonEmptyReadonlyArray<Touch>, cause: SubscriptionCause) {
        const upserts = yield* Effect.forEach(touches, (touch) => upsertOf(random, touch, cause))
        return yield* store.upsert(project, upserts, yield* DateTime.now)
      },
      Effect.catchTag("DataTooLarge", dataTooLarge)
    )

    const touchMany = Effect.fn("Contacts.touchMany")(
      function* (project: ProjectId, touches: Array.NonEmptyReadonlyArray<Touch>, cause: SubscriptionCause) {
        const upserts = yield* Effect.forEach(touches, (touch) => upsertOf(random, touch, cause))
        return yield* store.upsertMany(project, upserts, yield* DateTime.now)
      },
      Effect.catchTag("DataTooLarge", dataTooLarge)
    )

    const touch = (project: ProjectId, one: Touch, cause: SubscriptionCause) =>
      Effect.map(touchAll(project, [one], cause), Array.headNonEmpty)

    const upsert = Effect.fn("Contacts.upsert")((project: ProjectId, { email, subscribed, data }: UpsertContact) =>
      touch(
        project,
        { email, subscribed: subscribed ?? undefined, subscribedWhenNew: true, data: data ?? {} },
        { reason: "api" }
      )
    )

    const unsubscribeAddress = Effect.fn("Contacts.unsubscribeAddress")(function* (
      project: ProjectId,
      email: string,
      cause: SubscriptionCause
    ) {
      const now = yield* DateTime.now
      const changed = yield* store.unsubscribe(project, email, now)
      yield* recordFlips(project, changed, cause, now)
    }, transaction.run)

    const setSubscribed = Effect.fn("Contacts.setSubscribed")(
      function* (project: ProjectId, id: ContactId, subscribed: boolean, cause: SubscriptionCause) {
        const now = yield* DateTime.now
        const changed = yield* store.update(project, id, { subscribed }, now)
        if (Option.isNone(changed)) return yield* new ContactNotFound({ id })
        yield* recordFlips(project, [changed.value], cause, now)
        return changed.value.flipped
      },
      // Only a change of address or data meets these.
      Effect.catchTag(["EMAIL_ALREADY_EXISTS", "DataTooLarge"], Effect.die),
      transaction.run
    )

    const alter = Effect.fn("Contacts.alter")(
      function* (
        project: ProjectId,
        id: ContactId,
        { data, subscribed }: { readonly data: ContactData; readonly subscribed: boolean | undefined },
        cause: SubscriptionCause
      ) {
        const now = yield* DateTime.now
        const changed = yield* store.update(project, id, { data: dataChange(data), subscribed }, now)
        if (Option.isNone(changed)) return yield* new ContactNotFound({ id })
        const events = yield* recordFlips(project, [changed.value], cause, now)
        return { contact: changed.value.contact, events }
      },
      // Only a change of address meets it.
      Effect.catchTag("EMAIL_ALREADY_EXISTS", Effect.die),
      transaction.run
    )

    const list = Effect.fn("Contacts.list")(function* (project: ProjectId, query: ContactQuery) {
      const { search, subscribed, sort = "createdAt", dir = "desc" } = query
      const scope = JSON.stringify(["contacts", project, search, subscribed, sort, dir])
      return yield* cursorPage(
        cursors,
        { scope, cursor: query.cursor, limit: pageSize(query) },
        {
          count: store.count(project, { search, subscribed }),
          list: (limit, after, total) =>
            store.list(project, { search, subscribed }, { sort, dir }, limit, after, total),
          positionOf: (contact) => (sort === "email" ? { key: contact.email, id: contact.id } : byCreation(contact))
        }
      )
    })

    const get = Effect.fn("Contacts.get")(function* (project: ProjectId, id: ContactId) {
      const found = yield* store.find(project, id)
      if (Option.isNone(found)) return yield* new ContactNotFound({ id })
      return found.value
    })

    const update = Effect.fn("Contacts.update")(
      function* (project: ProjectId, id: ContactId, input: UpdateContact) {
        const now = yield* DateTime.now
        const data = input.data === null ? "clear" : input.data && dataChange(input.data)
        const changed = yield* store.update(project, id, { ...input, data }, now)
        if (Option.isNone(changed)) return yield* new ContactNotFound({ id })
        yield* recordFlips(project, [changed.value], { reason: "api" }, now)
        return changed.value.contact
      },
      Effect.catchTag("DataTooLarge", dataTooLarge),
      transaction.run
    )

    const remove = Effect.fn("Contacts.delete")(function* (project: ProjectId, id: ContactId) {
      yield* memberships.forget(project, [id])
      yield* ledger.dropContact(project, id, yield* DateTime.now)
      const deleted = yield* store.delete(project, id)
      if (!deleted) return yield* new ContactNotFound({ id })
    }, transaction.run)

    return Contacts.of({
      upsert,
      touchAll,
      touchMany,
      touch,
      unsubscribeAddress,
      setSubscribed,
      alter,
      list,
      get,
      update,
      delete: remove
    })
  })
)

/** Creates, reads, changes and deletes single contacts. */

import type { ContactData } from "@posthorn/contract/audience/contacts/Contact"
import {
  type Contact,
  type ContactId,
  ContactNotFound,
  type ContactPage,
  type ContactQuery,
  EmailAlreadyExists,
  type UpdateContact,
  type UpsertContact
} from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict, type InvalidCursor, ValidationError } from "@posthorn/contract/platform/Errors"
import { pageSize } from "@posthorn/contract/platform/Primitives"
import { Array, Context, Data, DateTime, Duration, Effect, Layer, Option, Order } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { EventLog } from "../../events/EventLog.ts"
import { recorded } from "../../platform/audit/Audited.ts"
import { byCreation, cursorPage } from "../../platform/CursorPages.ts"
import { Cursors } from "../../platform/Cursors.ts"
import { Transaction } from "../../platform/Transaction.ts"
import * as Memberships from "../segments/Memberships.ts"
import { type DataTooLarge, dataTooLarge, externalIdTaken } from "./ContactConstraints.ts"
import { type ContactInput, upsertOf } from "./ContactInput.ts"
import { ContactMail } from "./ContactMail.ts"
import { type Changed, ContactStore, type SubscriptionCause, type Upserted } from "./ContactStore.ts"
import { dataChange } from "./DataChange.ts"
import { withNamed } from "./NamedData.ts"

/** The contact to write has no address, and no contact has its external id. */
export class AddressMissing extends Data.TaggedError("AddressMissing") {}

/** A service, because HTTP handlers and other areas call it. */
export class Contacts extends Context.Service<
  Contacts,
  {
    /**
     * Creates or changes the contact with this external id or, if none has it, with this address. Concurrent first calls
     * create one contact. The contact with the id gets the address.
     */
    readonly upsert: (
      project: ProjectId,
      input: UpsertContact
    ) => Effect.Effect<Upserted, AddressMissing | Conflict | EmailAlreadyExists | ValidationError>
    /**
     * Creates or changes many contacts and records their events, in one statement. The addresses must be distinct. The
     * order of the result is undefined.
     */
    readonly upsertMany: (
      project: ProjectId,
      touches: Array.NonEmptyReadonlyArray<ContactInput>,
      cause: SubscriptionCause
    ) => Effect.Effect<Array.NonEmptyReadonlyArray<Upserted>, ValidationError>
    /** The same for a large number of contacts. Returns how many were new. */
    readonly touchMany: (
      project: ProjectId,
      touches: Array.NonEmptyReadonlyArray<ContactInput>,
      cause: SubscriptionCause
    ) => Effect.Effect<number, ValidationError>
    readonly touch: (
      project: ProjectId,
      touch: ContactInput,
      cause: SubscriptionCause
    ) => Effect.Effect<Upserted, ValidationError>
    /** Unsubscribes the contact that has this address now, if there is one. */
    readonly unsubscribeAddress: (project: ProjectId, email: string, cause: SubscriptionCause) => Effect.Effect<void>
    /** Sets the subscription of one contact. Returns true if that changed it and recorded an event. */
    readonly setSubscribed: (
      project: ProjectId,
      id: ContactId,
      subscribed: boolean,
      cause: SubscriptionCause
    ) => Effect.Effect<boolean, ContactNotFound>
    /**
     * Changes the data and subscription of one contact and returns the events that it recorded. If the merged data is
     * too large, the call fails and, in a transaction, has no other effect: see `Transaction.attempt`.
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
    /** Returns one page. A contact that exists during the whole walk over the pages appears exactly once. */
    readonly list: (project: ProjectId, query: ContactQuery) => Effect.Effect<ContactPage, InvalidCursor>
    /**
     * Contacts whose address has the text: first the one that is equal, then those that begin with it, then others,
     * of many matches any. A text of two characters is looked for at the beginning only.
     */
    readonly search: (project: ProjectId, text: string, limit: number) => Effect.Effect<ReadonlyArray<Contact>>
    readonly get: (project: ProjectId, id: ContactId) => Effect.Effect<Contact, ContactNotFound>
    /** Changes the given fields. A change of `subscribed` commits together with its event. */
    readonly update: (
      project: ProjectId,
      id: ContactId,
      input: UpdateContact
    ) => Effect.Effect<Contact, Conflict | ContactNotFound | EmailAlreadyExists | ValidationError>
    /**
     * Deletes the contact and everything that belongs to it. Cancels its unsent mail. `as` is the name in the audit log,
     * by default `contact.deleted`.
     */
    readonly delete: (
      project: ProjectId,
      id: ContactId,
      as?: "contact.deleted" | "contact.erased"
    ) => Effect.Effect<void, ContactNotFound>
  }
>()("@posthorn/core/audience/contacts/Contacts") {}

/** The furthest end of a snooze. */
const maxSnooze = Duration.days(366)

const snoozeFault = (until: DateTime.Utc, now: DateTime.Utc) => {
  if (!DateTime.isGreaterThan(until, now)) {
    return ValidationError.one("snoozedUntil", "too_small", "Must be later than now.")
  }
  return DateTime.isGreaterThan(until, DateTime.addDuration(now, maxSnooze))
    ? ValidationError.one("snoozedUntil", "too_big", "At most 366 days ahead.")
    : undefined
}

/** The index of texts within addresses has parts of three characters. */
const shortestPart = 3

const newestFirst = Order.mapInput(Order.flip(DateTime.Order), ({ createdAt }: Contact) => createdAt)

export const layer: Layer.Layer<
  Contacts,
  never,
  ContactStore | Cursors | EventLog | ContactMail | SecureRandom.SecureRandom | SqlClient.SqlClient | Transaction
> = Layer.effect(
  Contacts,
  Effect.gen(function* () {
    const store = yield* ContactStore
    const cursors = yield* Cursors
    const events = yield* EventLog
    const mail = yield* ContactMail
    const memberships = yield* Memberships.make
    const random = yield* SecureRandom.SecureRandom
    const transaction = yield* Transaction
    const audit = recorded(yield* SqlClient.SqlClient)

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

    const upsertMany = Effect.fn("Contacts.upsertMany")(
      function* (project: ProjectId, touches: Array.NonEmptyReadonlyArray<ContactInput>, cause: SubscriptionCause) {
        const upserts = yield* Effect.forEach(touches, (touch) => upsertOf(random, touch, cause))
        return yield* store.upsert(project, upserts, yield* DateTime.now)
      },
      Effect.catchTags({ DataTooLarge: dataTooLarge, ExternalIdTaken: externalIdTaken })
    )

    const touchMany = Effect.fn("Contacts.touchMany")(
      function* (project: ProjectId, touches: Array.NonEmptyReadonlyArray<ContactInput>, cause: SubscriptionCause) {
        const upserts = yield* Effect.forEach(touches, (touch) => upsertOf(random, touch, cause))
        return yield* store.upsertMany(project, upserts, yield* DateTime.now)
      },
      Effect.catchTags({ DataTooLarge: dataTooLarge, ExternalIdTaken: externalIdTaken })
    )

    const touch = (project: ProjectId, one: ContactInput, cause: SubscriptionCause) =>
      Effect.map(upsertMany(project, [one], cause), Array.headNonEmpty)

    const recordChange = (
      project: ProjectId,
      contact: ContactId,
      name: string,
      data: Readonly<Record<string, string | null>>,
      now: DateTime.Utc
    ) => events.record(project, [{ contact, name, source: "system", data }], now)

    const moved = Effect.fnUntraced(function* (project: ProjectId, { id, email }: Contact, to: string) {
      const now = yield* DateTime.now
      yield* store.update(project, id, { email: to }, now)
      yield* recordChange(project, id, "contact.email_changed", { previousEmail: email }, now)
    })

    /** The address of the contact that the names mean. A contact with the external id gets the address. */
    const addressOf = Effect.fnUntraced(function* (project: ProjectId, externalId: string, email: string | undefined) {
      const found = yield* store.holdNamed(project, [{ email, externalId }])
      const own = found.find((contact) => contact.externalId === externalId)
      const other = found.find((contact) => contact.email === email)
      if (own !== undefined) {
        if (email === undefined || own.email === email) return own.email
        if (other !== undefined) return yield* new EmailAlreadyExists({ email, contactId: other.id })
        yield* moved(project, own, email)
        return email
      }
      if (other !== undefined && other.externalId !== null) {
        return yield* new Conflict({ reason: "external_id_taken", contactId: other.id })
      }
      return email ?? (yield* new AddressMissing())
    })

    const identified = Effect.fnUntraced(function* (
      project: ProjectId,
      {
        externalId,
        email,
        ...input
      }: Omit<ContactInput, "email" | "externalId"> & {
        readonly externalId: string
        readonly email: string | undefined
      },
      cause: SubscriptionCause
    ) {
      const address = yield* addressOf(project, externalId, email)
      const one = yield* upsertOf(random, { ...input, email: address, externalId }, cause)
      return Array.headNonEmpty(yield* store.upsert(project, [one], yield* DateTime.now))
    }, transaction.run)

    const upsert = Effect.fn("Contacts.upsert")(function* (
      project: ProjectId,
      { email, externalId, subscribed, data, locale, timezone }: UpsertContact
    ) {
      const input = {
        subscribed: subscribed ?? undefined,
        subscribedWhenNew: true,
        data: yield* withNamed({
          data: data ?? {},
          locale: locale ?? undefined,
          timezone: timezone ?? undefined
        })
      }
      const cause = { reason: "api" } as const
      if (externalId != null) {
        // Of two calls with a new id, the unique index refuses one, and then the contact is there.
        return yield* identified(project, { ...input, externalId, email: email ?? undefined }, cause).pipe(
          Effect.retry({ times: 1, while: ({ _tag }) => _tag === "ExternalIdTaken" }),
          Effect.catchTags({
            DataTooLarge: dataTooLarge,
            ExternalIdTaken: () => Effect.fail(new Conflict({ reason: "external_id_taken" }))
          })
        )
      }
      if (email == null) return yield* new AddressMissing()
      return yield* touch(project, { ...input, email }, cause)
    })

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
      // Only a change of address, external id or data can fail this way.
      Effect.catchTag(["EMAIL_ALREADY_EXISTS", "DataTooLarge", "ExternalIdTaken"], Effect.die),
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
      // Only a change of address or external id can fail this way.
      Effect.catchTag(["EMAIL_ALREADY_EXISTS", "ExternalIdTaken"], Effect.die),
      transaction.run
    )

    const list = Effect.fn("Contacts.list")(function* (project: ProjectId, query: ContactQuery) {
      const { email, externalId, search, subscribed, sort = "createdAt", dir = "desc" } = query
      if (email !== undefined || externalId !== undefined) {
        const found = yield* store.named(project, [{ email, externalId }])
        const data = found.filter(
          (contact) =>
            (email === undefined || contact.email === email) &&
            (externalId === undefined || contact.externalId === externalId) &&
            (subscribed === undefined || contact.subscribed === subscribed) &&
            contact.email.includes(search?.toLowerCase() ?? "")
        )
        return { data, hasMore: false, total: data.length }
      }
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

    const search = Effect.fn("Contacts.search")(function* (project: ProjectId, text: string, limit: number) {
      const first = yield* store.startingWith(project, text, limit)
      if (first.length === limit || [...text].length < shortestPart) return first
      const known = new Set(first.map(({ id }) => id))
      // Those that begin with the text contain it too.
      const others = yield* store.containing(project, text, limit + known.size)
      return [...first, ...Array.sort(others, newestFirst).filter(({ id }) => !known.has(id))].slice(0, limit)
    })

    const get = Effect.fn("Contacts.get")(function* (project: ProjectId, id: ContactId) {
      const found = yield* store.find(project, id)
      if (Option.isNone(found)) return yield* new ContactNotFound({ id })
      return found.value
    })

    /**
     * Events about a change of address or snooze, by the contact before it. Callers that know contacts by their own ids
     * hear of new addresses; for others the address is the name of the contact.
     */
    const recordNamed = Effect.fnUntraced(function* (
      project: ProjectId,
      before: Contact,
      { email, snoozedUntil }: UpdateContact,
      now: DateTime.Utc
    ) {
      const { id } = before
      if (email !== undefined && email !== before.email && before.externalId !== null) {
        yield* recordChange(project, id, "contact.email_changed", { previousEmail: before.email }, now)
      }
      const [was, is] = [before.snoozedUntil, snoozedUntil].map((until) => until && DateTime.formatIso(until))
      if (is === undefined || is === was) return
      const name = is === null ? "contact.unsnoozed" : "contact.snoozed"
      yield* recordChange(project, id, name, { until: is ?? was ?? null, reason: "api" }, now)
    })

    const update = Effect.fn("Contacts.update")(
      function* (project: ProjectId, id: ContactId, { locale, timezone, ...input }: UpdateContact) {
        const now = yield* DateTime.now
        const fault = input.snoozedUntil && snoozeFault(input.snoozedUntil, now)
        if (fault) return yield* fault
        const isNamed = locale !== undefined || timezone !== undefined
        if (input.data === null && isNamed) {
          return yield* ValidationError.one("data", "custom", "`data: null` removes `locale` and `timezone` too.")
        }
        const given = isNamed ? yield* withNamed({ data: input.data ?? {}, locale, timezone }) : input.data
        const data = given === null ? "clear" : given && dataChange(given)
        // The events say what it was before.
        const isWatched = input.email !== undefined || input.snoozedUntil !== undefined
        const before = isWatched ? yield* store.hold(project, id) : Option.none()
        const changed = yield* store.update(project, id, { ...input, data }, now)
        if (Option.isNone(changed)) return yield* new ContactNotFound({ id })
        yield* recordFlips(project, [changed.value], { reason: "api" }, now)
        if (Option.isSome(before)) yield* recordNamed(project, before.value, input, now)
        return changed.value.contact
      },
      Effect.catchTags({
        DataTooLarge: dataTooLarge,
        ExternalIdTaken: () => Effect.fail(new Conflict({ reason: "external_id_taken" }))
      }),
      transaction.run
    )

    const remove = Effect.fn("Contacts.delete")(function* (
      project: ProjectId,
      id: ContactId,
      action: "contact.deleted" | "contact.erased" = "contact.deleted"
    ) {
      yield* memberships.forget(project, [id])
      yield* mail.dropContact(project, id, yield* DateTime.now)
      const deleted = yield* store.delete(project, id)
      if (!deleted) return yield* new ContactNotFound({ id })
      yield* audit({ project, action, details: { contactId: id } })
    }, transaction.run)

    return Contacts.of({
      upsert,
      upsertMany,
      touchMany,
      touch,
      unsubscribeAddress,
      setSubscribed,
      alter,
      list,
      search,
      get,
      update,
      delete: remove
    })
  })
)

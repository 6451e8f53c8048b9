/** Creates, reads, changes and deletes single contacts. */

import type { ContactData } from "@posthorn/contract/audience/contacts/Contact"
import {
  type Contact,
  type ContactId,
  ContactNotFound,
  type ContactPage,
  type ContactQuery,
  type EmailAlreadyExists,
  type UpdateContact,
  type UpsertContact
} from "@posthorn/contract/audience/contacts/Contact"
import type { GivenTopicState } from "@posthorn/contract/audience/topics/TopicStates"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict, type InvalidCursor, ValidationError } from "@posthorn/contract/platform/Errors"
import { pageSize } from "@posthorn/contract/platform/Primitives"
import { Array, Context, DateTime, Duration, Effect, Layer, Option, Order, type Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { EventLog } from "../../events/EventLog.ts"
import { recorded } from "../../platform/audit/Audited.ts"
import { byCreation, cursorPage } from "../../platform/CursorPages.ts"
import { Cursors } from "../../platform/Cursors.ts"
import { failpoint } from "../../platform/Failpoint.ts"
import { Transaction } from "../../platform/Transaction.ts"
import type { ConsentProof } from "../consents/ConsentProof.ts"
import * as ConsentProofs from "../consents/ConsentProofs.ts"
import type { ConsentGiven } from "../consents/ConsentSql.ts"
import { admission, type Said } from "../optins/Admission.ts"
import { type OptInRequest, OptInRequests } from "../optins/OptInRequests.ts"
import type { Asking } from "../optins/OptInRules.ts"
import * as Memberships from "../segments/Memberships.ts"
import { AudienceRules } from "../settings/AudienceRules.ts"
import { Topics } from "../topics/Topics.ts"
import * as AbsorbSql from "./AbsorbSql.ts"
import * as ContactAliases from "./ContactAliases.ts"
import { type DataTooLarge, dataTooLarge, externalIdTaken } from "./ContactConstraints.ts"
import { type ContactInput, consentGiven, upsertOf } from "./ContactInput.ts"
import { ContactMail } from "./ContactMail.ts"
import { type Changed, ContactStore, isPending, type SubscriptionCause, type Upserted } from "./ContactStore.ts"
import { dataChange } from "./DataChange.ts"
import {
  AddressMissing,
  type ContactNames,
  type IdentityRefusal,
  type Move,
  type NamedPerson,
  type Roster,
  roster
} from "./Identity.ts"
import { withNamed } from "./NamedData.ts"
import { type TopicsChange, topicsChange } from "./TopicsChange.ts"

/** A contact to create or change, by its external id or by its address. */
export interface NamedInput extends Omit<ContactInput, "email" | "externalId"> {
  readonly email: string | undefined
  readonly externalId: string
}

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
    ) => Effect.Effect<Upserted, IdentityRefusal | ValidationError>
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
    /** As `touch`, by external id, as `upsert` finds it. A failure has no effect, also in a transaction. */
    readonly touchNamed: (
      project: ProjectId,
      input: NamedInput,
      cause: SubscriptionCause
    ) => Effect.Effect<Upserted, IdentityRefusal | ValidationError>
    /**
     * As `touchNamed`, for the public key, whose calls only find contacts by an id. They set no external id and change no
     * address: otherwise a reader of the page could have the mail of another person sent to themselves. A new
     * id with an address becomes an unverified id of the contact with the address.
     */
    readonly touchPublic: (
      project: ProjectId,
      input: NamedInput,
      cause: SubscriptionCause
    ) => Effect.Effect<Upserted, AddressMissing | ValidationError>
    /** The contact that a public call with this id means. */
    readonly findPublic: (project: ProjectId, externalId: string) => Effect.Effect<Option.Option<Contact>>
    /**
     * Finds the contacts that the names mean, each as its predecessors leave it, and locks them until the caller's
     * transaction ends. Writes nothing: the caller moves the contacts of the roster and writes the new ids.
     */
    readonly identify: (
      project: ProjectId,
      names: ReadonlyArray<ContactNames>,
      into?: Roster
    ) => Effect.Effect<{
      readonly found: ReadonlyArray<Result.Result<NamedPerson, IdentityRefusal>>
      readonly moves: ReadonlyArray<Move>
    }>
    /** The contacts that the names may mean, locked, with the ids of this trust that find them. */
    readonly holdNamed: (
      project: ProjectId,
      names: ReadonlyArray<ContactNames>,
      trust: ContactAliases.Trust
    ) => Effect.Effect<ReadonlyArray<Contact & { readonly aliases: ReadonlyArray<string> }>>
    /** Gives contacts new addresses, one after the other. One that has its address already keeps it, without an event. */
    readonly move: (project: ProjectId, moves: ReadonlyArray<Move>) => Effect.Effect<void, EmailAlreadyExists>
    /** Locks two contacts against changes and deletion until the caller's transaction ends. Returns those that exist. */
    readonly holdPair: (
      project: ProjectId,
      pair: readonly [ContactId, ContactId]
    ) => Effect.Effect<ReadonlyArray<Pick<Contact, "email" | "externalId" | "id">>>
    /**
     * The last step of a merge: deletes `gone`, whose records have moved, and gives what its row has to `stays`. Of two
     * subscriptions the stricter wins. Joins the caller's transaction, which holds both.
     */
    readonly absorb: (
      project: ProjectId,
      stays: ContactId,
      gone: Pick<Contact, "externalId" | "id">
    ) => Effect.Effect<Contact, ContactNotFound | DataTooLarge>
    /** Unsubscribes the contact that has this address now, if there is one. */
    readonly unsubscribeAddress: (project: ProjectId, email: string, cause: SubscriptionCause) => Effect.Effect<void>
    /**
     * Changes the subscription and topics of one contact, and records what proves it, in the caller's transaction. With
     * `narrow`, a contact that becomes subscribed leaves the topics that it said nothing about. What the settings exclude
     * is dropped from the proof. A topic that is not in the project is ignored.
     */
    readonly setConsent: (
      project: ProjectId,
      id: ContactId,
      change: {
        readonly subscribed?: boolean | undefined
        readonly topics?: Readonly<Record<string, GivenTopicState>> | undefined
        readonly narrow?: boolean | undefined
        /** Whether changes have no events. They are recorded as consent all the same. */
        readonly silent?: boolean | undefined
      },
      cause: SubscriptionCause,
      proof?: ConsentProof
    ) => Effect.Effect<{ readonly contact: Contact; readonly changed: boolean }, ContactNotFound>
    /** Sets the subscription of one contact. Returns true if that changed it and recorded an event. */
    readonly setSubscribed: (
      project: ProjectId,
      id: ContactId,
      subscribed: boolean,
      cause: SubscriptionCause
    ) => Effect.Effect<boolean, ContactNotFound>
    /**
     * Changes the data, subscription and topics of one contact. Returns the events that it recorded, and what it set for
     * topics. If the merged data is too large, the call fails and, in a transaction, has no other effect: see
     * `Transaction.attempt`. The same holds if the contact must be asked to confirm and cannot be.
     */
    readonly alter: (
      project: ProjectId,
      id: ContactId,
      change: {
        readonly data: ContactData
        readonly subscribed: boolean | undefined
        readonly topics?: TopicsChange | undefined
        /** If set, the rules of the audience may ask the contact to confirm first. */
        readonly asking?: Asking
      },
      cause: SubscriptionCause
    ) => Effect.Effect<
      {
        readonly contact: Contact
        readonly events: ReadonlyArray<string>
        readonly topics: TopicsChange | undefined
      },
      ContactNotFound | DataTooLarge | ValidationError
    >
    /** Returns one page. A contact that exists during the whole walk over the pages appears exactly once. */
    readonly list: (project: ProjectId, query: ContactQuery) => Effect.Effect<ContactPage, InvalidCursor>
    /**
     * Contacts whose address has the text: first the one that is equal, then those that begin with it, then others,
     * of many matches any. A text of two characters is looked for at the beginning only.
     */
    readonly search: (project: ProjectId, text: string, limit: number) => Effect.Effect<ReadonlyArray<Contact>>
    readonly get: (project: ProjectId, id: ContactId) => Effect.Effect<Contact, ContactNotFound>
    /**
     * Changes the given fields. A change of `subscribed` commits together with its event. `reason` is that of the events,
     * by default `api`.
     */
    readonly update: (
      project: ProjectId,
      id: ContactId,
      input: UpdateContact,
      reason?: "api" | "page"
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
  | AudienceRules
  | ContactMail
  | ContactStore
  | Cursors
  | EventLog
  | OptInRequests
  | SecureRandom.SecureRandom
  | SqlClient.SqlClient
  | Topics
  | Transaction
> = Layer.effect(
  Contacts,
  Effect.gen(function* () {
    const store = yield* ContactStore
    const cursors = yield* Cursors
    const events = yield* EventLog
    const mail = yield* ContactMail
    const optIns = yield* OptInRequests
    const rules = yield* AudienceRules
    const memberships = yield* Memberships.make
    const random = yield* SecureRandom.SecureRandom
    const transaction = yield* Transaction
    const aliases = yield* ContactAliases.make
    const merges = yield* AbsorbSql.make
    const allTopics = yield* Topics
    const proofs = yield* ConsentProofs.make
    const audit = recorded(yield* SqlClient.SqlClient)

    /** What the change may record about consent. Undefined if it is not about consent. */
    const consentIn = Effect.fnUntraced(function* (
      given: Parameters<typeof consentGiven>[1],
      cause: SubscriptionCause
    ) {
      return Object.values(given).some((part) => part !== undefined)
        ? yield* consentGiven(random, given, cause)
        : undefined
    })

    const consentChanged = failpoint("after_consent_change")

    const recordFlips = Effect.fnUntraced(function* (
      project: ProjectId,
      changed: ReadonlyArray<Pick<Changed, "contact" | "flipped">>,
      { jobId: _, ...reasons }: SubscriptionCause,
      now: DateTime.Utc,
      consent?: ConsentGiven
    ) {
      yield* consentChanged
      return yield* events.record(
        project,
        changed
          .filter(({ flipped }) => flipped)
          .map(({ contact: { id, subscribed } }) => ({
            id: consent?.flipId,
            contact: id,
            email: reasons.emailId,
            name: subscribed ? "contact.subscribed" : "contact.unsubscribed",
            source: "system",
            data: { ...reasons }
          })),
        now
      )
    })

    const upsertMany = Effect.fn("Contacts.upsertMany")(
      function* (project: ProjectId, touches: Array.NonEmptyReadonlyArray<ContactInput>, cause: SubscriptionCause) {
        const upserts = yield* Effect.forEach(touches, (touch) => upsertOf(random, touch, cause))
        return yield* Effect.tap(store.upsert(project, upserts, yield* DateTime.now), () => consentChanged)
      },
      Effect.catchTags({ DataTooLarge: dataTooLarge, ExternalIdTaken: externalIdTaken })
    )

    const touchMany = Effect.fn("Contacts.touchMany")(
      function* (project: ProjectId, touches: Array.NonEmptyReadonlyArray<ContactInput>, cause: SubscriptionCause) {
        const upserts = yield* Effect.forEach(touches, (touch) => upsertOf(random, touch, cause))
        return yield* Effect.tap(store.upsertMany(project, upserts, yield* DateTime.now), () => consentChanged)
      },
      Effect.catchTags({ DataTooLarge: dataTooLarge, ExternalIdTaken: externalIdTaken })
    )

    /** Ends what the contact is asked to confirm and has refused now, and returns the contact as it is then. */
    const withoutRefused = Effect.fnUntraced(function* (
      project: ProjectId,
      contact: Contact,
      { subscribed, topics }: { readonly subscribed?: boolean | undefined; readonly topics?: TopicsChange | undefined }
    ) {
      const left = topics?.off ?? []
      if (subscribed === false) {
        if (!(yield* optIns.cancelOpen(project, contact.id))) return contact
      } else {
        if (left.length === 0 || !isPending(contact)) return contact
        yield* optIns.leave(project, new Map([[contact.id, left]]))
      }
      return Option.getOrElse(yield* store.find(project, contact.id), () => contact)
    })

    /** Asks the contact to confirm, and returns it as it is then. */
    const asked = Effect.fnUntraced(function* (project: ProjectId, contact: Contact, request: OptInRequest) {
      const made = yield* Effect.catchTag(optIns.request(project, contact.id, request), "CONTACT_NOT_FOUND", Effect.die)
      if (Option.isNone(made)) return contact
      const { id, status, mail } = made.value
      const found = Option.getOrElse(yield* store.find(project, contact.id), () => contact)
      return { ...found, optIn: { id, status, mail } }
    })

    /** What a write stores at once, and what the contact is asked for in place of the rest. */
    const admit = Effect.fnUntraced(function* (
      project: ProjectId,
      given: Said,
      asking: Asking,
      cause: SubscriptionCause
    ) {
      const { state, asks, due } = yield* admission(optIns, rules, project, given, asking)
      const request: OptInRequest | undefined =
        asks || due.size > 0
          ? {
              subscribe: asks,
              topics: [...due],
              keepsLeft: given.topics?.keepOff,
              source: cause.reason,
              isPublic: asking.isPublic
            }
          : undefined
      return { ...state, request }
    })

    /**
     * A write of one contact that obeys the rules of the audience. If the contact must confirm first, the write leaves it
     * unsubscribed and asks it, in one transaction.
     */
    const obeying = Effect.fnUntraced(function* <
      Input extends Pick<ContactInput, "proof" | "subscribed" | "subscribedWhenNew" | "topics">,
      E
    >(
      project: ProjectId,
      input: Input,
      asking: Asking,
      cause: SubscriptionCause,
      write: (input: Input) => Effect.Effect<Upserted, E>
    ) {
      const { request, ...state } = yield* admit(project, input, asking, cause)
      const isRefusing = state.subscribed === false || (state.topics?.off.length ?? 0) > 0
      if (request === undefined && !isRefusing) return yield* write({ ...input, ...state })
      return yield* transaction.run(
        Effect.gen(function* () {
          const written = yield* write({ ...input, ...state })
          const { isNew } = written
          const contact = isNew ? written.contact : yield* withoutRefused(project, written.contact, state)
          if (request === undefined || (asking.newContact === true && !isNew)) return { ...written, contact }
          const proof = input.proof
          return { ...written, contact: yield* asked(project, contact, { ...request, proof, madeContact: isNew }) }
        })
      )
    })

    const written = (project: ProjectId, one: ContactInput, cause: SubscriptionCause) =>
      Effect.map(upsertMany(project, [one], cause), Array.headNonEmpty)

    const touch = (project: ProjectId, one: ContactInput, cause: SubscriptionCause) =>
      one.asking === undefined
        ? written(project, one, cause)
        : obeying(project, one, one.asking, cause, (input) => written(project, input, cause))

    const recordChange = (
      project: ProjectId,
      contact: ContactId,
      name: string,
      data: Readonly<Record<string, string | null>>,
      now: DateTime.Utc
    ) => events.record(project, [{ contact, name, source: "system", data }], now)

    const moveOne = Effect.fnUntraced(
      function* (project: ProjectId, { id, email }: Move) {
        const before = yield* store.hold(project, id)
        if (Option.isNone(before) || before.value.email === email) return
        const now = yield* DateTime.now
        yield* store.update(project, id, { email }, now)
        yield* recordChange(project, id, "contact.email_changed", { previousEmail: before.value.email }, now)
        yield* optIns.cancelOpen(project, id)
      },
      // Only a change of external id or data can fail this way.
      Effect.catchTag(["DataTooLarge", "ExternalIdTaken"], Effect.die)
    )

    const move = Effect.fn("Contacts.move")(
      (project: ProjectId, moves: ReadonlyArray<Move>) =>
        Effect.forEach(moves, (each) => moveOne(project, each), { discard: true }),
      transaction.run
    )

    /** The contacts that the names may mean, locked, with the ids that find them. */
    const holdNamed = Effect.fnUntraced(function* (
      project: ProjectId,
      names: ReadonlyArray<ContactNames>,
      trust: ContactAliases.Trust
    ) {
      const ids = names.flatMap(({ externalId }) => externalId ?? [])
      const known = yield* aliases.find(project, ids, trust)
      const also = known.map(({ contactId }) => contactId)
      const found = yield* store.holdNamed(project, names, also)
      return found.map((contact) => ({
        ...contact,
        aliases: known.flatMap(({ alias, contactId }) => (contactId === contact.id ? [alias] : []))
      }))
    })

    const identify = Effect.fn("Contacts.identify")(function* (
      project: ProjectId,
      names: ReadonlyArray<ContactNames>,
      into: Roster = roster()
    ) {
      into.add(yield* holdNamed(project, names, "verified"))
      return { found: names.map((each) => into.find(each)), moves: into.moves }
    })

    const identified = Effect.fnUntraced(function* (
      project: ProjectId,
      { email, externalId, ...input }: NamedInput,
      cause: SubscriptionCause
    ) {
      const { found, moves } = yield* identify(project, [{ email, externalId }])
      const person = yield* Effect.fromResult(Array.getUnsafe(found, 0))
      yield* move(project, moves)
      const touch = { ...input, email: person.email, externalId: person.isIdNew ? externalId : undefined }
      const one = yield* upsertOf(random, touch, cause)
      return Array.headNonEmpty(yield* store.upsert(project, [one], yield* DateTime.now))
    }, transaction.attempt)

    const touchNamed = Effect.fn("Contacts.touchNamed")(
      (project: ProjectId, given: NamedInput, cause: SubscriptionCause) =>
        given.asking === undefined
          ? identified(project, given, cause)
          : obeying(project, given, given.asking, cause, (input) => identified(project, input, cause)),
      // Of two calls with a new id, the unique index refuses one, and then the contact is there.
      Effect.retry({ times: 1, while: ({ _tag }) => _tag === "ExternalIdTaken" }),
      Effect.catchTags({
        DataTooLarge: dataTooLarge,
        ExternalIdTaken: () => Effect.fail(new Conflict({ reason: "external_id_taken" }))
      })
    )

    /** Whom an id means to the public key: who has it, else whom a server or else the public key gave it. */
    const ownerOf = (found: ReadonlyArray<Contact & { readonly aliases: ReadonlyArray<string> }>, externalId: string) =>
      found.find((contact) => contact.externalId === externalId) ??
      found.find((contact) => contact.aliases.includes(externalId))

    const touchPublic = Effect.fn("Contacts.touchPublic")(function* (
      project: ProjectId,
      { email, externalId, ...input }: NamedInput,
      cause: SubscriptionCause
    ) {
      const owner = ownerOf(yield* holdNamed(project, [{ externalId }], "any"), externalId)
      const address = owner?.email ?? email
      if (address === undefined) return yield* new AddressMissing()
      const touched = yield* touch(project, { ...input, email: address }, cause)
      if (owner === undefined) {
        yield* aliases.add(project, [{ alias: externalId, contactId: touched.contact.id }], false, yield* DateTime.now)
      }
      return touched
    }, transaction.attempt)

    const findPublic = Effect.fn("Contacts.findPublic")(function* (project: ProjectId, externalId: string) {
      const known = yield* aliases.find(project, [externalId], "any")
      const found = yield* store.named(
        project,
        [{ externalId }],
        known.map(({ contactId }) => contactId)
      )
      return Option.fromUndefinedOr(found.find((contact) => contact.externalId === externalId) ?? found[0])
    })

    const upsert = Effect.fn("Contacts.upsert")(function* (
      project: ProjectId,
      { email, externalId, subscribed, topics, consent, doubleOptIn, data, locale, timezone }: UpsertContact
    ) {
      const input = {
        topics: yield* allTopics.readStates(project, topics),
        proof: yield* proofs.read(project, consent),
        subscribed: subscribed ?? undefined,
        subscribedWhenNew: true,
        data: yield* withNamed({
          data: data ?? {},
          locale: locale ?? undefined,
          timezone: timezone ?? undefined
        })
      }
      const cause = { reason: "api" } as const
      const asking = { isPublic: false, call: doubleOptIn }
      if (externalId != null) {
        return yield* touchNamed(project, { ...input, externalId, email: email ?? undefined, asking }, cause)
      }
      if (email == null) return yield* new AddressMissing()
      return yield* touch(project, { ...input, email, asking }, cause)
    })

    const unsubscribeAddress = Effect.fn("Contacts.unsubscribeAddress")(function* (
      project: ProjectId,
      email: string,
      cause: SubscriptionCause
    ) {
      const now = yield* DateTime.now
      const consent = yield* consentGiven(random, { subscribed: false }, cause)
      const changed = yield* store.unsubscribe(project, email, consent, now)
      yield* recordFlips(project, changed, cause, now)
      yield* optIns.cancelAt(project, [email])
    }, transaction.run)

    const setConsent = Effect.fn("Contacts.setConsent")(
      function* (
        project: ProjectId,
        id: ContactId,
        { subscribed, topics, narrow, silent }: Parameters<Contacts["Service"]["setConsent"]>[2],
        cause: SubscriptionCause,
        proof?: ConsentProof
      ) {
        const now = yield* DateTime.now
        const states = topics && topicsChange(topics)
        const given = { subscribed, topics: states, silent, proof: proof && (yield* proofs.kept(project, proof)) }
        const consent = yield* consentGiven(random, given, cause)
        const changed = yield* store.update(project, id, { subscribed, topics: states, narrow, consent }, now)
        if (Option.isNone(changed)) return yield* new ContactNotFound({ id })
        if (silent !== true) yield* recordFlips(project, [changed.value], cause, now, consent)
        const { flipped, isTopicChanged } = changed.value
        const contact = yield* withoutRefused(project, changed.value.contact, given)
        return { contact, changed: flipped || isTopicChanged }
      },
      // Only a change of address, external id or data can fail this way.
      Effect.catchTag(["EMAIL_ALREADY_EXISTS", "DataTooLarge", "ExternalIdTaken"], Effect.die),
      transaction.run
    )

    const setSubscribed = (project: ProjectId, id: ContactId, subscribed: boolean, cause: SubscriptionCause) =>
      Effect.map(setConsent(project, id, { subscribed }, cause), ({ changed }) => changed)

    const alter = Effect.fn("Contacts.alter")(
      function* (
        project: ProjectId,
        id: ContactId,
        { data, asking, ...given }: Parameters<Contacts["Service"]["alter"]>[2],
        cause: SubscriptionCause
      ) {
        const now = yield* DateTime.now
        const { request, subscribed, topics } =
          asking === undefined ? { ...given, request: undefined } : yield* admit(project, given, asking, cause)
        const consent = yield* consentIn({ subscribed, topics }, cause)
        const changed = yield* store.update(project, id, { data: dataChange(data), subscribed, topics, consent }, now)
        if (Option.isNone(changed)) return yield* new ContactNotFound({ id })
        const flips = yield* recordFlips(project, [changed.value], cause, now, consent)
        const events = [...flips, ...changed.value.events]
        const left = yield* withoutRefused(project, changed.value.contact, { subscribed, topics })
        return { contact: request === undefined ? left : yield* asked(project, left, request), events, topics }
      },
      // Only a change of address or external id can fail this way.
      Effect.catchTag(["EMAIL_ALREADY_EXISTS", "ExternalIdTaken"], Effect.die),
      transaction.run
    )

    const list = Effect.fn("Contacts.list")(function* (project: ProjectId, query: ContactQuery) {
      const { email, externalId, search, subscribed, sort = "createdAt", dir = "desc" } = query
      if (email !== undefined || externalId !== undefined) {
        const known = yield* aliases.find(project, externalId === undefined ? [] : [externalId], "verified")
        const also = known.map(({ contactId }) => contactId)
        const found = yield* store.named(project, [{ email, externalId }], also)
        const owner = found.find((contact) => contact.externalId === externalId)?.id ?? also[0]
        const data = found.filter(
          (contact) =>
            (email === undefined || contact.email === email) &&
            (externalId === undefined || contact.id === owner) &&
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
      if (Option.isSome(found)) return found.value
      const mergedInto = Option.getOrUndefined(yield* merges.mergedInto(project, id))
      return yield* new ContactNotFound({ id, ...(mergedInto !== undefined && { mergedInto }) })
    })

    const absorb = Effect.fn("Contacts.absorb")(function* (
      project: ProjectId,
      stays: ContactId,
      gone: Pick<Contact, "externalId" | "id">
    ) {
      const now = yield* DateTime.now
      yield* optIns.cancelOpen(project, gone.id)
      const changed = yield* merges.absorb(project, stays, gone.id, now)
      if (Option.isNone(changed)) return yield* new ContactNotFound({ id: stays })
      const { contact } = changed.value
      if (gone.externalId !== null && gone.externalId !== contact.externalId) {
        yield* aliases.add(project, [{ alias: gone.externalId, contactId: stays }], true, now)
      }
      yield* recordFlips(project, [changed.value], { reason: "merge" }, now)
      yield* recordChange(project, stays, "contact.merged", { mergedContactId: gone.id }, now)
      yield* audit({ project, action: "contact.merged", details: { contactId: stays, mergedContactId: gone.id } })
      return contact
    })

    /** Events about a change of address or snooze, by the contact before it. */
    const recordNamed = Effect.fnUntraced(function* (
      project: ProjectId,
      before: Contact,
      { email, snoozedUntil }: UpdateContact,
      reason: string,
      now: DateTime.Utc
    ) {
      const { id } = before
      if (email !== undefined && email !== before.email) {
        yield* recordChange(project, id, "contact.email_changed", { previousEmail: before.email }, now)
      }
      const [was, is] = [before.snoozedUntil, snoozedUntil].map((until) => until && DateTime.formatIso(until))
      if (is === undefined || is === was) return
      const name = is === null ? "contact.unsnoozed" : "contact.snoozed"
      yield* recordChange(project, id, name, { until: is ?? was ?? null, reason }, now)
    })

    const update = Effect.fn("Contacts.update")(
      function* (
        project: ProjectId,
        id: ContactId,
        { locale, timezone, doubleOptIn, topics: states, consent: evidence, ...input }: UpdateContact,
        reason: "api" | "page" = "api"
      ) {
        const now = yield* DateTime.now
        const wanted = yield* allTopics.readStates(project, states)
        const proof = yield* proofs.read(project, evidence)
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
        const [alias] = yield* aliases.find(project, input.externalId == null ? [] : [input.externalId], "verified")
        if (alias !== undefined && alias.contactId !== id) {
          return yield* new Conflict({ reason: "external_id_taken", contactId: alias.contactId })
        }
        // What a person chooses on the page needs no confirmation: the link has reached the mailbox.
        const isAdmitted =
          reason === "page" || (input.subscribed === undefined && wanted === undefined && doubleOptIn == null)
        const { request, subscribed, topics } = isAdmitted
          ? { request: undefined, subscribed: input.subscribed, topics: wanted }
          : yield* admit(
              project,
              { subscribed: input.subscribed, topics: wanted },
              { isPublic: false, call: doubleOptIn },
              { reason }
            )
        const consent = yield* consentIn({ subscribed, topics, proof }, { reason })
        const changed = yield* store.update(project, id, { ...input, subscribed, topics, consent, data }, now)
        if (Option.isNone(changed)) return yield* new ContactNotFound({ id })
        yield* recordFlips(project, [changed.value], { reason }, now, consent)
        if (Option.isSome(before)) yield* recordNamed(project, before.value, input, reason, now)
        const { contact } = changed.value
        const isMoved = Option.isSome(before) && before.value.email !== contact.email
        // A confirmation proves that the person owns the address of the mail.
        const refused = { subscribed: isMoved ? false : subscribed, topics }
        const left = yield* withoutRefused(project, contact, refused)
        return request === undefined ? left : yield* asked(project, left, { ...request, proof })
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
      yield* optIns.forget(project, [id])
      yield* mail.dropContact(project, id, yield* DateTime.now)
      const deleted = yield* store.delete(project, id, yield* DateTime.now)
      if (!deleted) return yield* new ContactNotFound({ id })
      yield* audit({ project, action, details: { contactId: id } })
    }, transaction.run)

    return Contacts.of({
      upsert,
      upsertMany,
      touchMany,
      touch,
      touchNamed,
      touchPublic,
      findPublic,
      identify,
      holdNamed,
      move,
      unsubscribeAddress,
      setConsent,
      setSubscribed,
      alter,
      list,
      search,
      get,
      update,
      holdPair: merges.hold,
      absorb,
      delete: remove
    })
  })
)

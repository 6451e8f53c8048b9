/**
 * Stores messages in the form of the Segment protocol: what they say about contacts, and their events.
 *
 * One request is one transaction. The messages take effect in their order: a roster knows the contacts that earlier ones
 * created and the ids that they tied. A faulty message costs nothing but itself.
 */
import type { PublicKeyPolicy } from "@posthorn/contract/accounts/projects/Project"
import type { ContactData, ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { maxDataBytes } from "@posthorn/contract/audience/contacts/ContactData"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { ValidationError } from "@posthorn/contract/platform/Errors"
import { Array, DateTime, Effect, Metric, Predicate, Result, type Schema } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { failpoint } from "../../platform/Failpoint.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import * as ContactAliases from "../contacts/ContactAliases.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { dataAfter, dataChange, isOneShot, reservedKeys, trackedData } from "../contacts/DataChange.ts"
import { type NamedPerson, roster } from "../contacts/Identity.ts"
import { isHistory as isHistoryAt } from "../events/Events.ts"
import { AudienceRules } from "../settings/AudienceRules.ts"
import { eventId } from "./EventIds.ts"
import * as IngestStore from "./IngestStore.ts"
import { type Ignored, type IngestMessage, instantIn, type MessageType, readMessage } from "./Messages.ts"

/** The result of one request. */
export interface Ingested {
  readonly accepted: number
  /** Events that were stored before. */
  readonly duplicates: number
  /** Messages that wait until it is known whose they are. */
  readonly held: number
  /** The first ones. */
  readonly ignored: ReadonlyArray<{ readonly index: number } & Ignored>
}

export interface IngestRequest {
  readonly messages: ReadonlyArray<unknown>
  /** The type that the path names, for all messages. */
  readonly type?: MessageType | undefined
  /** When the batch was sent, by the clock of the sender. */
  readonly sentAt?: unknown
  /** Whether all events are stored without reactions. */
  readonly isHistory?: boolean | undefined
}

export interface Ingest {
  /**
   * Stores all messages that can be stored. With the policy of the public key, ids only find contacts, and what the call
   * may do to data is what the policy allows.
   */
  readonly accept: (
    project: ProjectId,
    request: IngestRequest,
    policy?: PublicKeyPolicy
  ) => Effect.Effect<Ingested, ValidationError>
}

const messagesTotal = Metric.counter("posthorn_ingest_messages_total", {
  description: "Ingested messages by what became of them",
  incremental: true
})

const count = (result: string, number: number) =>
  number === 0 ? Effect.void : Metric.update(Metric.withAttributes(messagesTotal, { result }), number)

const maxShown = 20

/** How many held aliases, each under the id that the one before it names, are followed. */
const maxAliasSteps = 10

const utf8 = new TextEncoder()

/** The traits that are stored. Null removes a key. */
const storedTraits = (traits: ContactData): ContactData =>
  Object.fromEntries(
    Object.entries(traits).filter(([key, value]) => !reservedKeys.has(key) && value !== "" && !isOneShot(value))
  )

const noContact = (): Ignored => ({
  code: "no_contact",
  message: "No contact has one of the ids, and the message has no address."
})

/** The time of an event by the clock of the service: what the clock of the sender was off is taken away. */
const occurrenceOf = (
  { timestamp, ...message }: Pick<IngestMessage, "sentAt" | "timestamp">,
  batchSentAt: DateTime.Utc | undefined,
  now: DateTime.Utc
) => {
  if (timestamp === undefined) return now
  const sentAt = message.sentAt ?? batchSentAt
  const off = sentAt === undefined ? 0 : DateTime.toEpochMillis(now) - DateTime.toEpochMillis(sentAt)
  return DateTime.min(DateTime.add(timestamp, { milliseconds: off }), now)
}

/** Between two looks for the contact of a message that came alone. */
const pauses = ["100 millis", "200 millis", "400 millis"] as const

/**
 * Whether the message may have come before the one that it follows. Libraries in browsers send each message by itself and
 * several at once, so an event may arrive while the contact of its `userId` is still being made.
 */
const mayBeEarly = ({ messages, type, isHistory = false }: IngestRequest): boolean => {
  const [message] = messages
  return (
    type !== undefined && !isHistory && Predicate.hasProperty(message, "userId") && Predicate.isString(message.userId)
  )
}

/** What a request changes of one contact. */
interface Change {
  /** As it is stored. */
  readonly stored: Schema.JsonObject
  readonly isKept: boolean
  given: ContactData
}

export type Needs =
  | AudienceRules
  | Contacts
  | Digest.Digest
  | SecureRandom.SecureRandom
  | SqlClient.SqlClient
  | Transaction
  | Wakeups

export const make: Effect.Effect<Ingest, never, Needs> = Effect.gen(function* () {
  const contacts = yield* Contacts
  const rules = yield* AudienceRules
  const digest = yield* Digest.Digest
  const random = yield* SecureRandom.SecureRandom
  const aliases = yield* ContactAliases.make
  const store = yield* IngestStore.make
  const transaction = yield* Transaction
  const { events: wakeup } = yield* Wakeups

  const idOf = Effect.fnUntraced(function* (project: ProjectId, { messageId, madeAt }: IngestMessage) {
    if (messageId === undefined) return yield* random.uuidV7()
    const hash = yield* digest.digest(Digest.sha256, utf8.encode(`${project}\n${messageId}`))
    return eventId(hash, madeAt && DateTime.toEpochMillis(madeAt))
  })

  const process = Effect.fnUntraced(function* (
    project: ProjectId,
    { messages, type, sentAt, isHistory = false }: IngestRequest,
    policy: PublicKeyPolicy | undefined
  ) {
    const now = yield* DateTime.now
    const settings = (yield* rules.get(project)).ingest
    const isServer = policy === undefined
    const trust = isServer ? "verified" : "any"
    const batchSentAt = instantIn(sentAt)
    const ignored: Array<{ readonly index: number } & Ignored> = []
    const read = messages.flatMap((given, index) => {
      const message = readMessage(given, type)
      if (Result.isSuccess(message)) return [{ index, message: message.success }]
      ignored.push({ index, ...message.failure })
      return []
    })

    const people = roster()
    const changes = new Map<NamedPerson, Change>()
    const names = read.flatMap(({ message: { anonymousId, email, previousId, propertyEmail, userId } }) => [
      ...[userId, anonymousId, previousId].flatMap((externalId) => (externalId === undefined ? [] : [{ externalId }])),
      ...[email, propertyEmail].flatMap((email) => (email === undefined ? [] : [{ email }]))
    ])
    const data = new Map<ContactId, Schema.JsonObject>()
    /** Looks up who has these names, and keeps them from changing meanwhile. */
    const know = Effect.fnUntraced(function* (some: typeof names) {
      for (const contact of some.length === 0 ? [] : yield* contacts.holdNamed(project, some, trust)) {
        people.add([contact])
        data.set(contact.id, contact.data)
      }
    })
    yield* know(names)

    const changeOf = (person: NamedPerson): Change => {
      const known = changes.get(person)
      if (known !== undefined) return known
      const stored = person.id === undefined ? {} : (data.get(person.id) ?? {})
      const isKept = person.id !== undefined && policy?.overwrite === false
      const change: Change = { stored, isKept, given: {} }
      changes.set(person, change)
      return change
    }
    const ties: Array<{ readonly alias: string; readonly person: NamedPerson; readonly verified: boolean }> = []
    /** Returns whether the id is new. */
    const tie = (alias: string | undefined, person: NamedPerson, verified = isServer): boolean => {
      if (alias === undefined || people.ofId(alias) !== undefined) return false
      people.tie(alias, person)
      ties.push({ alias, person, verified })
      return true
    }

    /** The person of the message. Undefined if no contact has one of its names and it has no address. */
    const personOf = (message: IngestMessage): Result.Result<NamedPerson | undefined, Ignored> => {
      const { anonymousId, email, type, userId } = message
      const address = email ?? message.propertyEmail
      const conflict = (text: string) => Result.fail<Ignored>({ code: "conflict", message: text })
      const owner = userId === undefined ? undefined : people.ofId(userId)
      if (owner !== undefined) {
        if (!isServer || type !== "identify" || email === undefined) return Result.succeed(owner)
        const moved = people.find({ externalId: userId, email })
        return Result.isSuccess(moved) ? Result.succeed(moved.success) : conflict("Another contact has this address.")
      }
      const byEmail = address === undefined ? undefined : people.ofEmail(address)
      const byDevice = address !== undefined || anonymousId === undefined ? undefined : people.ofId(anonymousId)
      if (!isServer) {
        const person =
          byEmail ??
          byDevice ??
          (address === undefined ? undefined : Result.getOrUndefined(people.find({ email: address })))
        if (person !== undefined && type !== "alias") tie(userId, person)
        return Result.succeed(person)
      }
      // A server that only tracks ties no id to a contact that it found by an address.
      if (byEmail !== undefined && type !== "identify") return Result.succeed(byEmail)
      if (byDevice !== undefined) {
        if (type === "identify" && userId !== undefined) {
          const named = people.find({ externalId: userId, email: byDevice.email })
          if (Result.isFailure(named)) tie(userId, byDevice)
        }
        return Result.succeed(byDevice)
      }
      if (address === undefined) return Result.succeed(undefined)
      const found = people.find({ email: address, ...(userId !== undefined && { externalId: userId }) })
      return Result.isSuccess(found)
        ? Result.succeed(found.success)
        : conflict("The contact with this address has another external id.")
    }

    const write = (person: NamedPerson, given: ContactData, message: IngestMessage): Ignored | undefined => {
      const change = changeOf(person)
      if (change.isKept) return undefined
      const known = { ...change.stored, ...change.given }
      const named = Object.entries({ locale: message.locale, timezone: message.timezone }).filter(
        ([key, value]) => value !== undefined && known[key] == null && given[key] == null
      )
      const next = { ...change.given, ...(Object.fromEntries(named) as ContactData), ...given }
      if (Object.keys(given).length > 0) {
        const after = JSON.stringify(dataAfter(change.stored, dataChange(next)))
        if (after.length * 3 > maxDataBytes && utf8.encode(after).length > maxDataBytes) {
          return { code: "too_big", message: `The contact's data would exceed ${maxDataBytes} bytes.` }
        }
      }
      change.given = next
      return undefined
    }

    const events: Array<{ readonly person: NamedPerson } & Omit<IngestStore.IngestedEvent, "contact">> = []
    const waiting: Array<{ readonly index: number } & IngestStore.HeldMessage> = []
    const persons = new Map<string, NamedPerson>()
    let accepted = 0

    for (const { index, message } of read) {
      const isOff = (message.type === "page" && !settings.page) || (message.type === "screen" && !settings.screen)
      if (isOff) {
        ignored.push({ index, code: "unsupported", message: "The project has switched off messages of this type." })
        continue
      }
      const found = personOf(message)
      if (Result.isFailure(found)) {
        ignored.push({ index, ...found.failure })
        continue
      }
      const person = found.success
      const occurredAt = occurrenceOf(message, batchSentAt, now)
      const isOld = isHistory || isHistoryAt(occurredAt, now)
      const given =
        message.type === "identify"
          ? storedTraits(message.traits)
          : message.type === "group"
            ? { group: { id: message.groupId ?? "", ...message.traits } }
            : {}
      const event = message.event && {
        name: message.event.name,
        data: trackedData(message.event.data),
        occurredAt: DateTime.formatIso(occurredAt)
      }
      if (person === undefined) {
        const personId = message.userId ?? message.anonymousId
        if (settings.anonymous !== "hold" || personId === undefined) {
          ignored.push({ index, ...noContact() })
          continue
        }
        const content =
          message.type === "alias"
            ? { alias: message.previousId ?? "" }
            : event === undefined
              ? { traits: given }
              : { event }
        waiting.push({ index, id: yield* idOf(project, message), personId, content })
        continue
      }
      if (message.type === "alias") {
        const previous = message.previousId ?? ""
        const other = people.ofId(previous)
        if (other !== undefined && other !== person) {
          ignored.push({ index, code: "conflict", message: "Another contact has the `previousId`." })
          continue
        }
        tie(previous, person)
        persons.set(previous, person)
        accepted++
        continue
      }
      const refused = write(person, given, message)
      if (refused !== undefined) {
        ignored.push({ index, ...refused })
        continue
      }
      if (message.type === "identify") {
        tie(message.anonymousId, person)
        for (const id of [message.userId, message.anonymousId]) {
          if (id !== undefined && people.ofId(id) === person) persons.set(id, person)
        }
      }
      if (event === undefined) accepted++
      else events.push({ person, id: yield* idOf(project, message), ...event, isHistory: isOld })
    }

    const sent = events.length
    /** Takes what was held under these ids. Returns the further ids that it names. */
    const release = Effect.fnUntraced(function* (names: ReadonlyArray<string>, trusted: boolean) {
      const further: Array<{ readonly alias: string; readonly person: NamedPerson; readonly verified: boolean }> = []
      for (const { id, personId, content, verified } of yield* store.release(project, names, trusted)) {
        const person = persons.get(personId)
        if (person === undefined) continue
        if (content.traits !== undefined) {
          const change = changeOf(person)
          const next = { ...content.traits, ...change.given }
          const size = utf8.encode(JSON.stringify(dataAfter(change.stored, dataChange(next)))).length
          if (!change.isKept && size <= maxDataBytes) change.given = next
        }
        if (content.event !== undefined) events.push({ person, id, ...content.event, isHistory: true })
        if (content.alias !== undefined) further.push({ alias: content.alias, person, verified })
      }
      return further
    })
    // Held messages are older than those of the request. An alias among them leads to what waits under its other id.
    let waitingIds: ReadonlyArray<{ readonly alias: string; readonly verified: boolean }> = [...persons.keys()].map(
      (alias) => ({ alias, verified: isServer })
    )
    for (let step = 0; step < maxAliasSteps && waitingIds.length > 0; step++) {
      const of = (trusted: boolean) =>
        waitingIds.filter(({ verified }) => verified === trusted).map(({ alias }) => alias)
      const further = [...(yield* release(of(true), true)), ...(yield* release(of(false), false))]
      yield* know(further.map(({ alias }) => ({ externalId: alias })))
      const tied = further.filter(({ alias, person, verified }) => tie(alias, person, verified))
      for (const { alias, person } of tied) persons.set(alias, person)
      waitingIds = tied
    }

    yield* contacts.move(project, people.moves)
    const inputs = [...changes].flatMap(([person, { given }]) =>
      person.id === undefined || person.isIdNew || Object.keys(given).length > 0
        ? [
            {
              email: person.email,
              ...(person.isIdNew && person.externalId !== null && { externalId: person.externalId }),
              subscribedWhenNew: false,
              data: given
            }
          ]
        : []
    )
    const written = Array.isReadonlyArrayNonEmpty(inputs)
      ? yield* contacts.upsertMany(project, inputs, { reason: "track" })
      : []
    const byEmail = new Map(written.map(({ contact }) => [contact.email, contact.id]))
    /** Leaves out what has no contact: each contact of the request was there or is written now. */
    const withContact = <A extends { readonly person: NamedPerson }>(some: ReadonlyArray<A>) =>
      some.flatMap(({ person, ...rest }) => {
        const contact = person.id ?? byEmail.get(person.email)
        return contact === undefined ? [] : [{ ...rest, contact }]
      })
    for (const verified of [true, false]) {
      const some = withContact(ties.filter((tied) => tied.verified === verified))
      yield* aliases.add(
        project,
        some.map(({ alias, contact }) => ({ alias, contactId: contact })),
        verified,
        now
      )
    }
    const stored = yield* store.record(project, withContact(events), now)
    const fresh = new Set(events.slice(0, sent).map(({ id }) => id)).intersection(stored)
    const held = yield* store.hold(
      project,
      waiting.map(({ index: _, ...message }) => message),
      isServer,
      now
    )
    for (const { id, index } of waiting) if (!held.has(id)) ignored.push({ index, ...noContact() })
    if (stored.size > 0) yield* transaction.afterCommit(wakeup.wake)
    yield* transaction.afterCommit(failpoint("after_ingest_commit"))
    yield* failpoint("before_ingest_commit")
    return {
      accepted: accepted + fresh.size,
      duplicates: sent - fresh.size,
      held: waiting.filter(({ id }) => held.has(id)).length,
      ignored: ignored.toSorted((a, b) => a.index - b.index)
    }
  }, transaction.attempt)

  const accept = Effect.fn("Ingest.accept")(function* (
    project: ProjectId,
    request: IngestRequest,
    policy?: PublicKeyPolicy
  ) {
    const once = process(project, request, policy).pipe(
      // Another request took a new id or address meanwhile, and is found now.
      Effect.retry({ times: 3 }),
      Effect.catchTag("EMAIL_ALREADY_EXISTS", Effect.die)
    )
    let done = yield* once
    for (const pause of mayBeEarly(request) ? pauses : []) {
      if (done.ignored[0]?.code !== "no_contact") break
      yield* Effect.sleep(pause)
      done = yield* once
    }
    const { ignored, ...counts } = done
    yield* count("accepted", counts.accepted)
    yield* count("duplicate", counts.duplicates)
    yield* count("held", counts.held)
    for (const [code, some] of Object.entries(Array.groupBy(ignored, ({ code }) => code))) {
      yield* count(code, some.length)
    }
    return { ...counts, ignored: ignored.slice(0, maxShown) }
  })

  return { accept } satisfies Ingest
})

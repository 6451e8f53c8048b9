/**
 * Asks contacts to confirm. Writes of contacts call it in their transaction, so that a request and its mail are stored
 * together or not at all.
 */
import type { BillingLimitExceeded } from "@posthorn/contract/accounts/billing/Billing"
import {
  type ContactData,
  type ContactId,
  ContactNotFound,
  type SubscriptionReason
} from "@posthorn/contract/audience/contacts/Contact"
import { OptInId, type OptInMail, type RequestedOptIn } from "@posthorn/contract/audience/optins/RequestedOptIn"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type Fault, RateLimitExceeded, ValidationError } from "@posthorn/contract/platform/Errors"
import { Context, DateTime, Duration, Effect, Layer, Metric, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { EventLog } from "../../events/EventLog.ts"
import { failpoint } from "../../platform/Failpoint.ts"
import { RequestLinks } from "../../platform/links/RequestLinks.ts"
import { Settings } from "../../platform/Settings.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { type ConsentProof, storedProof } from "../consents/ConsentProof.ts"
import * as ConsentProofs from "../consents/ConsentProofs.ts"
import { AudienceRules } from "../settings/AudienceRules.ts"
import type { SuppressedAddress } from "../suppression/SuppressedAddress.ts"
import { ConfirmationMail } from "./ConfirmationMail.ts"
import { declineLasts, mailRules, nextMailAt, reachOf } from "./OptInRules.ts"
import * as OptInStore from "./OptInStore.ts"

/** What a contact is asked to confirm. */
export interface OptInRequest {
  readonly subscribe: boolean
  /** Ids of topics. */
  readonly topics: ReadonlyArray<string>
  readonly source: SubscriptionReason
  /** Whether anybody could have given the address. Absent: true of a form only. */
  readonly isPublic?: boolean
  /** Whether the contact is not asked for topics that it left. */
  readonly keepsLeft?: boolean | undefined
  /** Whether the same write created the contact. It is then deleted again unless it confirms. */
  readonly madeContact?: boolean
  /** Whether many contacts are asked at once. */
  readonly isBulk?: boolean
  readonly formId?: string | undefined
  readonly redirectUrl?: string | null | undefined
  readonly templateId?: string | null | undefined
  /** Stored until the contact confirms, for its record of consent. */
  readonly proof?: ConsentProof | undefined
  /** Data for the contact. At the confirmation, keys that it does not have yet are set. */
  readonly values?: ContactData | undefined
}

export interface Requested extends RequestedOptIn {
  readonly optIn: OptInStore.StoredOptIn
}

/** A service: the services that write contacts call it. */
export class OptInRequests extends Context.Service<
  OptInRequests,
  {
    /**
     * Asks the contact, or adds to what it is asked already. None if the contact has all of it. Joins the caller's
     * transaction. Fails with a fault of `doubleOptIn` if the project has no sender for the mail, or too many open
     * opt-ins. The limits of mails never fail it: `mail` of the result says what became of the mail.
     */
    readonly request: (
      project: ProjectId,
      contact: ContactId,
      asked: OptInRequest
    ) => Effect.Effect<Option.Option<Requested>, ContactNotFound | ValidationError>
    /** As `request`, and fails if no mail can be stored now. */
    readonly require: (
      project: ProjectId,
      contact: ContactId,
      asked: OptInRequest
    ) => Effect.Effect<
      Option.Option<Requested>,
      BillingLimitExceeded | ContactNotFound | RateLimitExceeded | ValidationError
    >
    /** Ends the open opt-in of the contact. False if it has none. Joins the caller's transaction. */
    readonly cancelOpen: (project: ProjectId, contact: ContactId) => Effect.Effect<boolean>
    /** The same for many contacts, which the caller has unsubscribed. */
    readonly cancelAll: (project: ProjectId, contacts: ReadonlyArray<ContactId>) => Effect.Effect<void>
    /** The same for the contacts that have these addresses. */
    readonly cancelAt: (project: ProjectId, emails: ReadonlyArray<string>) => Effect.Effect<void>
    /**
     * Takes topics that contacts have left out of what they are asked, so that a confirmation does not undo the no. If
     * a request asked for topics and none is left, it ends. Joins the caller's transaction, which holds the contacts.
     */
    readonly leave: (project: ProjectId, left: ReadonlyMap<ContactId, ReadonlyArray<string>>) => Effect.Effect<void>
    /** The same, by addresses. */
    readonly leaveAt: (project: ProjectId, left: ReadonlyMap<string, ReadonlyArray<string>>) => Effect.Effect<void>
    /**
     * Asks many contacts, by their addresses. `known` are the addresses that had a contact before the write. Returns how
     * many were asked. Joins the caller's transaction.
     */
    readonly requestMany: (
      project: ProjectId,
      asks: ReadonlyMap<string, Pick<OptInRequest, "subscribe" | "topics">>,
      known: ReadonlySet<string>,
      asked: Omit<OptInRequest, "madeContact" | "subscribe" | "topics">
    ) => Effect.Effect<number, ValidationError>
    /** `doubleOptIn` of those of the topics that exist, by their ids. */
    readonly asksOf: (
      project: ProjectId,
      topics: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, boolean | null>>
    /** Which of the addresses have a contact. */
    readonly knownOf: (project: ProjectId, emails: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
    /** What is wrong with a template as that of confirmation mail, as faults of `templateId`. */
    readonly templateFaults: (project: ProjectId, id: string) => Effect.Effect<ReadonlyArray<Fault>>
    /** Removes the contacts, which are about to be deleted, from their opt-ins. Joins the caller's transaction. */
    readonly forget: (project: ProjectId, contacts: ReadonlyArray<ContactId>) => Effect.Effect<void>
    /** Sends the reminder of an open opt-in, if the limits allow. Joins the caller's transaction. */
    readonly remind: (optIn: OptInStore.StoredOptIn) => Effect.Effect<void>
    /** Records that an opt-in has expired, if it is open. Joins the caller's transaction. */
    readonly expire: (optIn: OptInStore.StoredOptIn) => Effect.Effect<void>
  }
>()("@posthorn/core/audience/optins/OptInRequests") {}

const optInsTotal = Metric.counter("posthorn_opt_ins_total", {
  description: "Opt-ins by the state that they reached",
  incremental: true
})

/** Counts an opt-in that reached a state. */
export const counted = (status: OptInStore.StoredOptIn["status"]): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(optInsTotal, { status }), 1)

/** The payload of the events of an opt-in. */
export const eventData = (
  { id, subscribe, topics, source, formId }: OptInStore.StoredOptIn,
  emailId?: string | undefined
) => ({
  optInId: id,
  subscribe,
  topics,
  source,
  ...(formId !== null && { formId }),
  ...(emailId !== undefined && { emailId })
})

/** The project has no sender for confirmation mail. */
export const noSender = (): ValidationError =>
  ValidationError.one(
    "doubleOptIn",
    "custom",
    "The project has no sender for confirmation mail. Set `doubleOptIn.from` with PATCH /settings/audience."
  )

/** The most open opt-ins of a project. */
export const maxOpen = 1_000_000

const tooManyOpen = () =>
  ValidationError.one(
    "doubleOptIn",
    "too_big",
    `At most ${maxOpen} contacts of a project are asked to confirm at a time.`
  )

/** The longest time that a mail of a public sign-up waits for its turn. */
const maxWait = Duration.hours(24)
/** Below so many free slots of the hour, requests take them one after the other. */
const fewSlots = 50

type Refusal =
  | { readonly mail: "limited"; readonly until: DateTime.Utc | undefined }
  | { readonly mail: "billing_limit"; readonly error: BillingLimitExceeded }
interface Outcome {
  readonly optIn: OptInStore.StoredOptIn
  readonly mail: OptInMail
  readonly email?: EmailId
  readonly refusal?: Refusal
}

export const layer: Layer.Layer<
  OptInRequests,
  never,
  | AudienceRules
  | ConfirmationMail
  | EventLog
  | RequestLinks
  | SecureRandom.SecureRandom
  | SqlClient.SqlClient
  | SuppressedAddress
  | Transaction
> = Layer.effect(
  OptInRequests,
  Effect.gen(function* () {
    const store = yield* OptInStore.make
    const proofs = yield* ConsentProofs.make
    const rules = yield* AudienceRules
    const mails = yield* ConfirmationMail
    const events = yield* EventLog
    const links = yield* RequestLinks
    const random = yield* SecureRandom.SecureRandom
    const transaction = yield* Transaction
    const { optInMailsPerHour } = yield* Settings

    /** The time at which a mail of a public request may be sent. */
    const slotFor = Effect.fnUntraced(function* (project: ProjectId, now: DateTime.Utc) {
      if (optInMailsPerHour === 0) return now
      const isWithinHour = (slot: DateTime.Utc | undefined): slot is DateTime.Utc =>
        slot !== undefined && DateTime.isGreaterThan(DateTime.add(slot, { hours: 1 }), now)
      if (isWithinHour(yield* store.slotAt(project, Math.max(0, optInMailsPerHour - fewSlots)))) {
        yield* store.holdSlots(project)
      }
      const last = yield* store.slotAt(project, optInMailsPerHour - 1)
      if (!isWithinHour(last)) return now
      const free = DateTime.add(last, { hours: 1 })
      return Duration.isGreaterThan(DateTime.distance(now, free), maxWait) ? ("never" as const) : free
    })

    const refusalOf = Effect.fnUntraced(function* (
      project: ProjectId,
      email: string,
      isPublic: boolean,
      now: DateTime.Utc
    ) {
      const own = mailRules[isPublic ? "public" : "key"]
      const { within, count } = reachOf(own)
      const times = yield* store.mailTimes(project, email, DateTime.subtractDuration(now, within), count)
      const until = nextMailAt(own, times, now)
      if (until !== undefined) return { mail: "limited", until } as const
      const hasDeclined =
        isPublic && (yield* store.hasDeclined(project, email, DateTime.subtractDuration(now, declineLasts)))
      return hasDeclined ? ({ mail: "limited", until: undefined } as const) : undefined
    })

    type Held = Option.Option.Value<Effect.Success<ReturnType<typeof store.holdContact>>>

    /** Stores a mail of the opt-in, unless a limit refuses it. */
    const ask = Effect.fnUntraced(function* (
      project: ProjectId,
      contact: Held,
      optIn: OptInStore.StoredOptIn,
      { isPublic, isBulk }: { readonly isPublic: boolean; readonly isBulk: boolean },
      now: DateTime.Utc
    ): Effect.fn.Return<Outcome> {
      const refusal = yield* refusalOf(project, contact.email, isPublic, now)
      if (refusal !== undefined) return { optIn, mail: refusal.mail, refusal }
      const id = EmailId.make(yield* random.uuidV7())
      const due = isPublic ? yield* slotFor(project, now) : now
      const stored = yield* transaction
        .attempt(
          Effect.gen(function* () {
            const mail = yield* mails.queue(
              project,
              {
                id,
                contact,
                confirmUrl: yield* links.url("confirm", { project, id: optIn.id }),
                topics: yield* store.topics(project, optIn.topicIds),
                settings: yield* rules.getCached(project),
                templateId: optIn.templateId,
                isBulk,
                due
              },
              now
            )
            const slot = isPublic && due !== "never" ? due : null
            return { mail, optIn: yield* store.mailed(project, optIn, id, contact.email, slot, now) }
          })
        )
        .pipe(
          Effect.catchTag("BILLING_LIMIT_EXCEEDED", (error) =>
            Effect.succeed({ mail: "billing_limit" as const, error })
          )
        )
      if (stored.mail === "billing_limit") return { optIn, mail: stored.mail, refusal: stored }
      return { mail: stored.mail, email: id, optIn: Option.getOrElse(stored.optIn, () => optIn) }
    })

    const expire = Effect.fnUntraced(function* ({ projectId, id }: OptInStore.StoredOptIn) {
      const now = yield* DateTime.now
      const expired = yield* store.settle(projectId, id, "EXPIRED", now)
      if (Option.isNone(expired)) return
      yield* record(projectId, expired.value, "contact.opt_in_expired", now)
      const cause = { reason: "double_opt_in", optInId: id } as const
      yield* store.noteConsent(expired.value, "expired", yield* storedProof(cause, { actor: { type: "service" } }), now)
      yield* transaction.afterCommit(counted("EXPIRED"))
    })

    const record = (
      project: ProjectId,
      optIn: OptInStore.StoredOptIn,
      name: string,
      now: DateTime.Utc,
      emailId?: EmailId
    ) =>
      events.record(
        project,
        [{ contact: optIn.contactId, email: emailId, name, source: "system", data: eventData(optIn, emailId) }],
        now
      )

    /** The open opt-in. One whose time is over is ended first. */
    const openOf = Effect.fnUntraced(function* (project: ProjectId, contact: ContactId, now: DateTime.Utc) {
      const open = yield* store.open(project, contact)
      if (Option.isNone(open) || DateTime.isGreaterThan(open.value.expiresAt, now)) return open
      yield* expire(open.value)
      return Option.none<OptInStore.StoredOptIn>()
    })

    const made = Effect.fnUntraced(function* (
      project: ProjectId,
      contactId: ContactId,
      asked: OptInRequest
    ): Effect.fn.Return<Option.Option<Outcome>, ContactNotFound | ValidationError> {
      const now = yield* DateTime.now
      const { doubleOptIn } = yield* rules.getCached(project)
      if (doubleOptIn.from === null) return yield* noSender()
      const held = yield* store.holdContact(project, contactId)
      if (Option.isNone(held)) return yield* new ContactNotFound({ id: contactId })
      const contact = held.value
      const isOpen = (id: string) =>
        !contact.topicsOn?.includes(id) && !(asked.keepsLeft === true && contact.topicsOff?.includes(id))
      const topicIds = asked.topics.filter(isOpen)
      if (topicIds.length === 0 && (contact.subscribed || !asked.subscribe)) return Option.none()
      const open = yield* openOf(project, contactId, now)
      if (Option.isNone(open) && (yield* store.openCount(project)) >= maxOpen) return yield* tooManyOpen()
      const isPublic = asked.isPublic ?? asked.source === "form"
      const proof = asked.proof && (yield* proofs.kept(project, asked.proof))
      const { reminderAfterHours, expiresInDays } = doubleOptIn
      const fields = {
        id: Option.isSome(open) ? open.value.id : OptInId.make(yield* random.uuidV7()),
        email: contact.email,
        subscribe: asked.subscribe && !contact.subscribed,
        topicIds,
        source: asked.source,
        formId: asked.formId ?? null,
        redirectUrl: asked.redirectUrl ?? null,
        templateId: asked.templateId ?? null,
        madeContact: asked.madeContact === true,
        isPublic,
        proof,
        values: asked.values ?? null,
        remindAt: reminderAfterHours === null ? null : DateTime.add(now, { hours: reminderAfterHours }),
        expiresAt: DateTime.add(now, { days: expiresInDays })
      }
      const stored = yield* Option.isSome(open)
        ? store.join(project, fields)
        : store.insert(project, contactId, fields, now)
      const optIn = yield* Effect.orDie(Effect.fromOption(stored))
      yield* store.setPending(project, contactId, optIn.expiresAt, optIn.topicIds)
      const outcome = yield* ask(project, contact, optIn, { isPublic, isBulk: asked.isBulk === true }, now)
      if (Option.isNone(open)) {
        yield* record(project, outcome.optIn, "contact.opt_in_requested", now, outcome.email)
        const cause = { reason: asked.source, optInId: optIn.id, ...(asked.formId && { formId: asked.formId }) }
        yield* store.noteConsent(outcome.optIn, "requested", yield* storedProof(cause, proof ?? {}), now)
        yield* transaction.afterCommit(counted("PENDING"))
      }
      yield* failpoint("before_opt_in_commit")
      return Option.some(outcome)
    })

    const answered = ({ optIn, mail }: Outcome): Requested => ({ id: optIn.id, status: optIn.status, mail, optIn })

    const request = Effect.fn("OptInRequests.request")(
      (project: ProjectId, contact: ContactId, asked: OptInRequest) =>
        Effect.map(made(project, contact, asked), Option.map(answered)),
      transaction.run
    )

    const require = Effect.fn("OptInRequests.require")(function* (
      project: ProjectId,
      contact: ContactId,
      asked: OptInRequest
    ) {
      const outcome = yield* made(project, contact, asked)
      const refusal = Option.getOrUndefined(outcome)?.refusal
      if (refusal?.mail === "billing_limit") return yield* refusal.error
      if (refusal?.mail === "limited") {
        const now = yield* DateTime.now
        const wait = Duration.toSeconds(DateTime.distance(now, refusal.until ?? now))
        return yield* new RateLimitExceeded({
          limit: 10,
          retryAfter: Math.max(1, Math.ceil(wait)),
          scope: "opt_in"
        })
      }
      return Option.map(outcome, answered)
    }, transaction.run)

    const cancel = Effect.fnUntraced(function* ({ projectId, id }: OptInStore.StoredOptIn) {
      const now = yield* DateTime.now
      const cancelled = yield* store.settle(projectId, id, "CANCELLED", now)
      if (Option.isNone(cancelled)) return false
      yield* mails.cancel(projectId, cancelled.value.emailIds, now)
      yield* transaction.afterCommit(counted("CANCELLED"))
      return true
    })

    const cancelOpen = Effect.fn("OptInRequests.cancelOpen")(function* (project: ProjectId, contact: ContactId) {
      const open = yield* store.open(project, contact)
      return Option.isSome(open) && (yield* cancel(open.value))
    }, transaction.run)

    const cancelAll = Effect.fn("OptInRequests.cancelAll")(function* (
      project: ProjectId,
      contacts: ReadonlyArray<ContactId>
    ) {
      yield* Effect.forEach(yield* store.openOf(project, contacts), cancel, { discard: true })
    }, transaction.run)

    const cancelAt = Effect.fn("OptInRequests.cancelAt")(function* (project: ProjectId, emails: ReadonlyArray<string>) {
      yield* Effect.forEach(yield* store.openAt(project, emails), cancel, { discard: true })
    }, transaction.run)

    const without = Effect.fnUntraced(function* (
      optIn: OptInStore.StoredOptIn,
      left: ReadonlyArray<string> = []
    ): Effect.fn.Return<void> {
      const kept = optIn.topicIds.filter((topic) => !left.includes(topic))
      if (kept.length === optIn.topicIds.length) return
      // Who signed up for topics has not signed up for others.
      yield* kept.length === 0 ? cancel(optIn) : store.keepTopics(optIn.projectId, optIn.id, kept)
    })

    const leave = Effect.fn("OptInRequests.leave")(function* (
      project: ProjectId,
      left: ReadonlyMap<ContactId, ReadonlyArray<string>>
    ) {
      const open = yield* store.openOf(project, [...left.keys()])
      for (const optIn of open) yield* without(optIn, optIn.contactId === null ? [] : left.get(optIn.contactId))
    }, transaction.run)

    const leaveAt = Effect.fn("OptInRequests.leaveAt")(function* (
      project: ProjectId,
      left: ReadonlyMap<string, ReadonlyArray<string>>
    ) {
      const open = yield* store.openAt(project, [...left.keys()])
      for (const optIn of open) yield* without(optIn, optIn.email === null ? [] : left.get(optIn.email))
    }, transaction.run)

    const requestMany = Effect.fn("OptInRequests.requestMany")(function* (
      project: ProjectId,
      asks: ReadonlyMap<string, Pick<OptInRequest, "subscribe" | "topics">>,
      known: ReadonlySet<string>,
      asked: Omit<OptInRequest, "madeContact" | "subscribe" | "topics">
    ) {
      const made = yield* Effect.forEach(yield* store.standing(project, [...asks.keys()]), ({ id, email }) =>
        Effect.catchTag(
          request(project, id, {
            ...asked,
            ...(asks.get(email) ?? { subscribe: false, topics: [] }),
            madeContact: !known.has(email)
          }),
          "CONTACT_NOT_FOUND",
          () => Effect.succeedNone
        )
      )
      return made.filter(Option.isSome).length
    }, transaction.run)

    const remind = Effect.fn("OptInRequests.remind")(function* (given: OptInStore.StoredOptIn) {
      const now = yield* DateTime.now
      const { projectId, contactId, id } = given
      if (contactId === null) return
      const held = yield* store.holdContact(projectId, contactId)
      const found = yield* store.find(projectId, id)
      if (Option.isNone(held) || Option.isNone(found) || found.value.status !== "PENDING") return
      yield* store.reminded(projectId, id)
      yield* ask(projectId, held.value, found.value, { isPublic: found.value.isPublic, isBulk: false }, now)
    }, transaction.run)

    return OptInRequests.of({
      request,
      require,
      cancelOpen,
      cancelAll,
      cancelAt,
      leave,
      leaveAt,
      requestMany,
      asksOf: (project, ids) =>
        Effect.map(
          store.topics(project, ids),
          (found) => new Map(found.map(({ id, doubleOptIn }) => [id, doubleOptIn]))
        ),
      knownOf: (project, emails) =>
        Effect.map(store.standing(project, emails), (there) => new Set(there.map(({ email }) => email))),
      templateFaults: (project, id) =>
        Effect.map(mails.faultsOf(project, id), (sentences) =>
          sentences.map((message): Fault => ({ field: "templateId", code: "custom", message }))
        ),
      remind,
      expire: (optIn) =>
        transaction.run(
          Effect.gen(function* () {
            // The contact is locked before its opt-in, as by requests.
            if (optIn.contactId !== null) yield* store.holdContact(optIn.projectId, optIn.contactId)
            yield* expire(optIn)
          })
        ),
      forget: (project, contacts) => Effect.flatMap(DateTime.now, (now) => store.forget(project, contacts, now))
    })
  })
)

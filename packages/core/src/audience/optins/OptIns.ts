/** Opt-ins: what contacts are asked to confirm by mail, and what they answer. */
import type { BillingLimitExceeded } from "@posthorn/contract/accounts/billing/Billing"
import { type ContactId, ContactNotFound } from "@posthorn/contract/audience/contacts/Contact"
import type { OptIn, OptInPage, OptInQuery, RequestOptIn } from "@posthorn/contract/audience/optins/OptIn"
import type { AudienceSettings } from "@posthorn/contract/audience/settings/AudienceSettings"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import {
  type BadRequest,
  Conflict,
  type Fault,
  type InvalidCursor,
  type RateLimitExceeded,
  ResourceNotFound,
  ValidationError
} from "@posthorn/contract/platform/Errors"
import { pageSize } from "@posthorn/contract/platform/Primitives"
import { DateTime, Duration, Effect, Option, Predicate } from "effect"
import type { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Projects } from "../../accounts/projects/Projects.ts"
import { EventLog } from "../../events/EventLog.ts"
import { cursorPage } from "../../platform/CursorPages.ts"
import { Cursors } from "../../platform/Cursors.ts"
import { dateRange } from "../../platform/DateRange.ts"
import { failpoint } from "../../platform/Failpoint.ts"
import type { LinkTarget } from "../../platform/links/RequestLinks.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { type ConsentProof, storedProof } from "../consents/ConsentProof.ts"
import * as ConsentProofs from "../consents/ConsentProofs.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { countForm } from "../forms/FormCounts.ts"
import { AudienceRules } from "../settings/AudienceRules.ts"
import type { SuppressedAddress } from "../suppression/SuppressedAddress.ts"
import { Topics } from "../topics/Topics.ts"
import { counted, eventData, OptInRequests } from "./OptInRequests.ts"
import { declineLasts } from "./OptInRules.ts"
import * as OptInStore from "./OptInStore.ts"
import type { AskedTopic } from "./TopicNames.ts"

/** What the page of a link shows. */
export interface Standing {
  readonly projectName: string
  /** Language of the project. */
  readonly language: string
  /** Language of the contact. */
  readonly locale: string | null
  /** How the project wants its pages. */
  readonly pages: AudienceSettings["pages"]
  /** Null once the contact is gone. */
  readonly email: string | null
  readonly topics: ReadonlyArray<AskedTopic>
  /** `gone`: the contact is deleted. */
  readonly state: "confirmed" | "declined" | "ended" | "gone" | "open"
  /** Where the browser goes after the confirmation. */
  readonly redirectUrl: string | null
  /** Set if this call has confirmed it. */
  readonly isDone?: true
}

/** Who answers, as far as the settings of the audience keep it. */
type Client = Pick<ConsentProof, "ip" | "userAgent">

export interface OptIns {
  /** Asks the contact on request of a caller, and fails if no mail can be stored. */
  readonly ask: (
    project: ProjectId,
    contact: ContactId,
    input: RequestOptIn
  ) => Effect.Effect<OptIn, BillingLimitExceeded | Conflict | ContactNotFound | RateLimitExceeded | ValidationError>
  readonly list: (project: ProjectId, query: OptInQuery) => Effect.Effect<OptInPage, BadRequest | InvalidCursor>
  readonly ofContact: (project: ProjectId, contact: ContactId) => Effect.Effect<ReadonlyArray<OptIn>, ContactNotFound>
  readonly cancel: (project: ProjectId, contact: ContactId) => Effect.Effect<void, ContactNotFound | ResourceNotFound>
  /** What the page of the link shows. None if the project or the opt-in is gone. */
  readonly look: (asked: LinkTarget) => Effect.Effect<Option.Option<Standing>>
  /** Confirms an open opt-in, and returns what is then. Of parallel calls one has an effect. */
  readonly confirm: (asked: LinkTarget, client?: Client) => Effect.Effect<Option.Option<Standing>>
  /** Says that the owner of the address did not ask. */
  readonly decline: (asked: LinkTarget, client?: Client) => Effect.Effect<Option.Option<Standing>>
  /**
   * Deletes contacts whose own request has expired long ago and to whom nothing else happened, and what the limits of
   * mails no longer need.
   */
  readonly sweep: Effect.Effect<void>
  /** Ends opt-ins whose time is over, and sends reminders that are due. */
  readonly advance: Effect.Effect<void>
}

/** What the person saw when it asked, and who confirms it. It consents now. */
const proofOf = ({ proof }: OptInStore.StoredOptIn, client: Client | undefined): ConsentProof => {
  const { at: _, ...asked }: ConsentProof = Predicate.isObject(proof) ? proof : {}
  return client === undefined ? asked : { ...asked, ...client }
}

/** The longest time of a rule of mails. */
const mailsCounted = Duration.days(30)

/** Opt-ins that one step of the job reads. */
const step = 200

export type Needs =
  | AudienceRules
  | Contacts
  | Cursors
  | EventLog
  | OptInRequests
  | Projects
  | SecureRandom.SecureRandom
  | SqlClient.SqlClient
  | SuppressedAddress
  | Topics
  | Transaction

export const make: Effect.Effect<OptIns, never, Needs> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const store = yield* OptInStore.make
  const contacts = yield* Contacts
  const proofs = yield* ConsentProofs.make
  const cursors = yield* Cursors
  const events = yield* EventLog
  const projects = yield* Projects
  const requests = yield* OptInRequests
  const topics = yield* Topics
  const rules = yield* AudienceRules
  const transaction = yield* Transaction

  /** The ids of the topics that a caller names. */
  const topicsOf = Effect.fnUntraced(function* (project: ProjectId, names: ReadonlyArray<string>) {
    if (names.length === 0) return []
    const found = yield* topics.resolve(project, names)
    const errors = names.flatMap((name, at): ReadonlyArray<Fault> => {
      const topic = found.get(name)
      if (topic !== undefined && !topic.archived) return []
      const message = topic === undefined ? "No such topic in this project." : "The topic is archived."
      return [{ field: `topics.${at}`, code: "custom", message, received: name.slice(0, 100) }]
    })
    if (errors.length > 0) return yield* new ValidationError({ errors })
    return [...new Set([...found.values()].map(({ id }) => id))]
  })

  const ask = Effect.fn("OptIns.ask")(function* (project: ProjectId, id: ContactId, input: RequestOptIn) {
    const subscribe = input.subscribe ?? true
    const topicIds = yield* topicsOf(project, input.topics ?? [])
    if (!subscribe && topicIds.length === 0) {
      return yield* ValidationError.one("topics", "required", "Required if `subscribe` is false.")
    }
    const { templateId, redirectUrl } = input
    const proof = yield* proofs.read(project, input.consent)
    const faults = templateId == null ? [] : yield* requests.templateFaults(project, templateId)
    if (faults.length > 0) return yield* new ValidationError({ errors: faults })
    const held = yield* store.holdContact(project, id)
    if (Option.isNone(held)) return yield* new ContactNotFound({ id })
    if (held.value.isSuppressed) return yield* new Conflict({ reason: "suppressed" })
    const made = yield* requests.require(project, id, {
      subscribe,
      topics: topicIds,
      source: "api",
      templateId,
      redirectUrl,
      proof
    })
    if (Option.isNone(made)) return yield* new Conflict({ reason: "already_confirmed" })
    return OptInStore.recordOf(made.value.optIn)
  }, transaction.run)

  const list = Effect.fn("OptIns.list")(function* (project: ProjectId, query: OptInQuery) {
    const { timezone } = yield* Effect.orDie(projects.getCached(project))
    const range = yield* dateRange(query, timezone)
    const scope = JSON.stringify(["opt-ins", project, query.status, query.source, query.startDate, query.endDate])
    const page = yield* cursorPage(
      cursors,
      { scope, cursor: query.cursor, limit: pageSize(query) },
      {
        count: store.count(project, query, range),
        list: (limit, after) => store.list(project, query, range, limit, after),
        positionOf: ({ requestedAt, id }) => ({ key: DateTime.formatIso(requestedAt), id })
      }
    )
    return { ...page, data: page.data.map(OptInStore.recordOf) }
  })

  const ofContact = Effect.fn("OptIns.ofContact")(function* (project: ProjectId, id: ContactId) {
    yield* contacts.get(project, id)
    return (yield* store.ofContact(project, id)).map(OptInStore.recordOf)
  })

  const cancel = Effect.fn("OptIns.cancel")(function* (project: ProjectId, id: ContactId) {
    yield* contacts.get(project, id)
    const cancelled = yield* requests.cancelOpen(project, id)
    if (!cancelled) return yield* new ResourceNotFound({ resource: "opt_in", id })
  }, transaction.run)

  const stateOf = ({ status, contactId, expiresAt }: OptInStore.StoredOptIn, now: DateTime.Utc): Standing["state"] => {
    if (contactId === null && status !== "DECLINED") return "gone"
    switch (status) {
      case "CONFIRMED":
        return "confirmed"
      case "DECLINED":
        return "declined"
      case "PENDING":
        return DateTime.isGreaterThan(expiresAt, now) ? "open" : "ended"
      default:
        return "ended"
    }
  }

  const standingOf = Effect.fnUntraced(function* (projectId: ProjectId, optIn: OptInStore.StoredOptIn) {
    const project = yield* Effect.option(projects.get(projectId))
    if (Option.isNone(project)) return Option.none<Standing>()
    const { doubleOptIn, pages } = yield* rules.get(projectId)
    const contact =
      optIn.contactId === null ? Option.none() : yield* Effect.option(contacts.get(projectId, optIn.contactId))
    return Option.some<Standing>({
      projectName: pages.name ?? project.value.name,
      language: project.value.language,
      pages,
      locale: Option.match(contact, { onNone: () => null, onSome: ({ locale }) => locale }),
      email: optIn.email,
      topics: yield* store.topics(projectId, optIn.topicIds),
      state: stateOf(optIn, yield* DateTime.now),
      redirectUrl: optIn.redirectUrl ?? doubleOptIn.redirectUrl
    })
  })

  const look = Effect.fn("OptIns.look")(function* ({ project, id }: LinkTarget) {
    const found = yield* store.find(project, id)
    return Option.isNone(found) ? Option.none() : yield* standingOf(project, found.value)
  })

  /** Sets keys that the contact does not have. Values that no longer fit are left out. */
  const fill = Effect.fnUntraced(function* (
    project: ProjectId,
    id: ContactId,
    known: object,
    { values }: Pick<OptInStore.StoredOptIn, "values">
  ) {
    const data = Object.fromEntries(Object.entries(values ?? {}).filter(([key]) => !Object.hasOwn(known, key)))
    if (Object.keys(data).length === 0) return
    yield* transaction
      .attempt(contacts.alter(project, id, { data, subscribed: undefined }, { reason: "double_opt_in" }))
      .pipe(
        Effect.catchTag("DataTooLarge", () => Effect.logWarning("Values of an opt-in do not fit into the contact")),
        Effect.orDie
      )
  })

  const confirm = Effect.fn("OptIns.confirm")(function* ({ project, id }: LinkTarget, client?: Client) {
    const before = yield* store.find(project, id)
    if (Option.isNone(before)) return Option.none<Standing>()
    const { contactId } = before.value
    const held = contactId === null ? Option.none() : yield* store.holdContact(project, contactId)
    if (contactId === null || Option.isNone(held)) return yield* standingOf(project, before.value)
    const now = yield* DateTime.now
    const confirmed = yield* store.confirm(project, id, now)
    if (Option.isNone(confirmed)) return yield* look({ project, id })
    const optIn = confirmed.value
    yield* fill(project, contactId, held.value.data, optIn)
    yield* events.record(
      project,
      [{ contact: contactId, name: "contact.confirmed", source: "system", data: eventData(optIn) }],
      now
    )
    yield* Effect.orDie(
      contacts.setConsent(
        project,
        contactId,
        {
          ...(optIn.subscribe && { subscribed: true }),
          ...(optIn.topicIds.length > 0 && {
            topics: Object.fromEntries(optIn.topicIds.map((id) => [id, "subscribed"] as const)),
            narrow: true
          })
        },
        { reason: "double_opt_in", optInId: optIn.id, ...(optIn.formId !== null && { formId: optIn.formId }) },
        proofOf(optIn, client)
      )
    )
    if (optIn.formId !== null) yield* countForm(sql)(project, optIn.formId, "confirmed")
    yield* transaction.afterCommit(counted("CONFIRMED"))
    yield* failpoint("before_opt_in_commit")
    return Option.map(yield* standingOf(project, optIn), (standing): Standing => ({ ...standing, isDone: true }))
  }, transaction.run)

  const decline = Effect.fn("OptIns.decline")(function* ({ project, id }: LinkTarget, client: Client = {}) {
    const before = yield* store.find(project, id)
    if (Option.isNone(before)) return Option.none<Standing>()
    const { contactId } = before.value
    const held = contactId === null ? Option.none() : yield* store.holdContact(project, contactId)
    const now = yield* DateTime.now
    const declined = yield* store.settle(project, id, "DECLINED", now)
    if (Option.isNone(declined)) return yield* look({ project, id })
    const optIn = declined.value
    const cause = { reason: "double_opt_in", optInId: optIn.id } as const
    const proof = yield* storedProof(cause, yield* proofs.kept(project, client))
    yield* store.noteConsent(optIn, "declined", proof, now)
    const isRemoved = optIn.madeContact && Option.isSome(held) && !held.value.subscribed
    yield* events.record(
      project,
      [
        {
          contact: isRemoved ? null : contactId,
          name: "contact.opt_in_declined",
          source: "system",
          data: eventData(optIn)
        }
      ],
      now
    )
    if (isRemoved && contactId !== null) yield* Effect.orDie(contacts.delete(project, contactId))
    yield* transaction.afterCommit(counted("DECLINED"))
    return yield* standingOf(project, { ...optIn, email: null })
  }, transaction.run)

  const advance = Effect.gen(function* () {
    for (;;) {
      const over = yield* store.overdue(yield* DateTime.now, step)
      yield* Effect.forEach(over, requests.expire, { discard: true })
      if (over.length < step) break
    }
    for (;;) {
      const due = yield* store.toRemind(yield* DateTime.now, step)
      yield* Effect.forEach(due, requests.remind, { discard: true })
      if (due.length < step) break
    }
  }).pipe(Effect.withSpan("OptIns.advance"))

  const sweep = Effect.gen(function* () {
    const now = yield* DateTime.now
    for (const { id: project } of yield* projects.list) {
      const { deleteUnconfirmedAfterDays: days } = (yield* rules.get(project)).doubleOptIn
      if (days === null) continue
      const before = DateTime.subtract(now, { days })
      for (;;) {
        const left = yield* store.unconfirmed(project, before, step)
        yield* Effect.forEach(left, ({ id }) => Effect.ignore(contacts.delete(project, id)), { discard: true })
        if (left.length < step) break
      }
    }
    yield* store.sweep(DateTime.subtractDuration(now, mailsCounted), DateTime.subtractDuration(now, declineLasts))
  }).pipe(Effect.withSpan("OptIns.sweep"))

  return {
    ask,
    list,
    ofContact,
    cancel,
    look,
    confirm,
    decline,
    sweep,
    advance
  } satisfies OptIns
})

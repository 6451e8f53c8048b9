/** Requests of recipients about their data: to get them, or to have them erased. */
import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { PersonalData } from "@posthorn/contract/audience/contacts/ContactExport"
import {
  type PrivacyRequest,
  PrivacyRequestId,
  type PrivacyRequestPage,
  type PrivacyRequestQuery,
  type PrivacyRequestType
} from "@posthorn/contract/audience/privacy/PrivacyRequest"
import type { AudienceSettings } from "@posthorn/contract/audience/settings/AudienceSettings"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict, type InvalidCursor, ResourceNotFound } from "@posthorn/contract/platform/Errors"
import { pageSize } from "@posthorn/contract/platform/Primitives"
import { DateTime, Duration, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../accounts/people/Accounts.ts"
import { Projects } from "../../accounts/projects/Projects.ts"
import { inSubject } from "../../accounts/systemmail/Names.ts"
import { sealLink } from "../../accounts/systemmail/SealedLinks.ts"
import { SystemMail } from "../../accounts/systemmail/SystemMail.ts"
import { EventLog } from "../../events/EventLog.ts"
import { recorded } from "../../platform/audit/Audited.ts"
import { cursorPage } from "../../platform/CursorPages.ts"
import { Cursors } from "../../platform/Cursors.ts"
import { failpoint } from "../../platform/Failpoint.ts"
import type { Bearer } from "../../platform/links/PublicLinks.ts"
import { type LinkTarget, RequestLinks } from "../../platform/links/RequestLinks.ts"
import type { SecretBox } from "../../platform/SecretBox.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { languageOf } from "../../platform/web/Languages.ts"
import { DataSubjectRequests } from "../contacts/DataSubjectRequests.ts"
import { type MailRule, nextMailAt, reachOf } from "../optins/OptInRules.ts"
import type { PageState } from "../pages/Pages.ts"
import { AudienceRules } from "../settings/AudienceRules.ts"
import type { SuppressedAddress } from "../suppression/SuppressedAddress.ts"
import { type Correspondence, confirmationMail, dueMail, openMail, refusalMail } from "./PrivacyMails.ts"
import * as PrivacyRequestStore from "./PrivacyRequestStore.ts"

/** What the page behind the link shows. */
export interface RequestStanding {
  readonly projectName: string
  /** Language of the project. */
  readonly language: string
  /** Language of the contact. Null once it is gone. */
  readonly locale: string | null
  readonly email: string | null
  readonly pages: AudienceSettings["pages"]
  /**
   * `download`: the data are there to be taken. `later` and `atOnce`: an erasure by the project, or by the button.
   * `gone`: the contact is erased or deleted.
   */
  readonly state: "atOnce" | "download" | "ended" | "erased" | "gone" | "later" | "received" | "refused"
  readonly dueAt: DateTime.Utc | null
}

/** What a confirmation did. `data` is the copy that an export asks for. */
export interface Confirmed {
  readonly standing: RequestStanding
  readonly data?: PersonalData
}

export interface PrivacyRequests {
  /**
   * Stores the request and its mail to the address of the contact. Beyond the limits, and for an address that takes no
   * mail, nothing is stored. The caller cannot tell, so that a link reveals nothing.
   */
  readonly ask: (
    person: Pick<Bearer, "contact" | "project">,
    state: PageState,
    type: PrivacyRequestType
  ) => Effect.Effect<void>
  /** What the page of the link shows. None if the project or the request is gone. */
  readonly look: (asked: LinkTarget) => Effect.Effect<Option.Option<RequestStanding>>
  /** Does what was asked, as far as the settings let a recipient. A repeated call erases nothing twice. */
  readonly confirm: (asked: LinkTarget) => Effect.Effect<Option.Option<Confirmed>>
  readonly list: (project: ProjectId, query: PrivacyRequestQuery) => Effect.Effect<PrivacyRequestPage, InvalidCursor>
  readonly get: (project: ProjectId, id: PrivacyRequestId) => Effect.Effect<PrivacyRequest, ResourceNotFound>
  /** Erases the person. */
  readonly complete: (
    project: ProjectId,
    id: PrivacyRequestId
  ) => Effect.Effect<PrivacyRequest, Conflict | ResourceNotFound>
  /** Mails the note to the person. */
  readonly refuse: (
    project: ProjectId,
    id: PrivacyRequestId,
    note: string
  ) => Effect.Effect<PrivacyRequest, Conflict | ResourceNotFound>
  /** Ends requests that were not confirmed in time, and reminds of those that are due in a week. */
  readonly advance: Effect.Effect<void>
  /** Deletes requests that ended three years ago. */
  readonly sweep: Effect.Effect<void>
}

/** Whether recipients of the project may ask for this. */
export const offers = ({ selfService }: Pick<AudienceSettings, "selfService">, type: PrivacyRequestType): boolean =>
  type === "EXPORT" ? selfService.export : selfService.erasure !== "off"

/** Whether they may ask for anything. */
export const offered = (settings: Pick<AudienceSettings, "selfService">): boolean =>
  offers(settings, "EXPORT") || offers(settings, "ERASURE")

/** Of mails to one contact, for each type of request. */
const mailRules: ReadonlyArray<MailRule> = [
  [Duration.hours(24), 1],
  [Duration.days(30), 3]
]
const linkLasts = Duration.hours(24)
const mostOpen = 10_000
const dueAfter = Duration.days(30)
const remindBefore = Duration.days(7)
const keptYears = 3
/** Reminders of one step of the job. */
const step = 100

export type Needs =
  | Accounts
  | AudienceRules
  | Cursors
  | DataSubjectRequests
  | EventLog
  | Projects
  | RequestLinks
  | SecretBox
  | SecureRandom.SecureRandom
  | SqlClient.SqlClient
  | SuppressedAddress
  | SystemMail
  | Transaction

export const make: Effect.Effect<PrivacyRequests, never, Needs> = Effect.gen(function* () {
  const accounts = yield* Accounts
  const box = yield* Effect.context<SecretBox>()
  const cursors = yield* Cursors
  const events = yield* EventLog
  const links = yield* RequestLinks
  const mail = yield* SystemMail
  const persons = yield* DataSubjectRequests
  const projects = yield* Projects
  const random = yield* SecureRandom.SecureRandom
  const rules = yield* AudienceRules
  const store = yield* PrivacyRequestStore.make
  const transaction = yield* Transaction
  const audit = recorded(yield* SqlClient.SqlClient)

  /** Between the project and a recipient. */
  const correspondence = (
    project: ProjectId,
    to: string,
    { doubleOptIn, pages }: AudienceSettings,
    { projectName, locale, language }: { projectName: string; locale: string | null; language: string }
  ): Correspondence => {
    const name = pages.name ?? projectName
    return {
      to,
      project: name,
      language: languageOf(locale, language),
      sender: {
        project,
        email: doubleOptIn.from,
        name: inSubject(doubleOptIn.fromName ?? name, "Posthorn"),
        replyTo: doubleOptIn.replyTo
      }
    }
  }

  const ask = Effect.fn("PrivacyRequests.ask")(function* (
    { project, contact }: Pick<Bearer, "contact" | "project">,
    state: PageState,
    type: PrivacyRequestType
  ) {
    // A link of a test mail changes nothing.
    if (state.mail?.test) return
    const held = yield* store.holdContact(project, contact)
    if (Option.isNone(held)) return
    const { email, locale } = held.value
    // There is no mailbox that could confirm.
    if (state.suppression === "HARD_BOUNCE") return
    const now = yield* DateTime.now
    const { within, count } = reachOf(mailRules)
    const since = DateTime.subtractDuration(now, within)
    const times = yield* store.mailTimes(project, { contact, email, type }, since, count)
    if (nextMailAt(mailRules, times, now) !== undefined) return
    if ((yield* store.countOpen(project, mostOpen)) >= mostOpen) return
    const id = PrivacyRequestId.make(yield* random.uuidV7())
    yield* store.insert({
      id,
      projectId: project,
      type,
      status: "UNCONFIRMED",
      contactId: contact,
      email,
      requestedAt: now,
      expiresAt: DateTime.addDuration(now, linkLasts),
      confirmedAt: null,
      dueAt: null,
      completedAt: null,
      note: null
    })
    const link = yield* Effect.provideContext(sealLink(email, yield* links.url("privacy", { project, id })), box)
    const between = correspondence(project, email, state.settings, { ...state, locale })
    yield* mail.post([confirmationMail(between, type, link)])
  }, transaction.run)

  const stateOf = (
    { type, status, contactId, email, expiresAt }: PrivacyRequestStore.StoredRequest,
    holder: string | undefined,
    { selfService }: AudienceSettings,
    now: DateTime.Utc
  ): RequestStanding["state"] => {
    if (status === "DONE" && type === "ERASURE") return "erased"
    if (contactId === null || holder === undefined) return "gone"
    if (status === "REFUSED") return "refused"
    if (status === "OPEN") return "received"
    // The link proves that its holder reads the mail to one address. The contact may have got another one since.
    const isValid = status !== "EXPIRED" && DateTime.isGreaterThan(expiresAt, now) && email === holder
    if (!isValid) return "ended"
    if (type === "EXPORT") return "download"
    return selfService.erasure === "automatic" ? "atOnce" : "later"
  }

  const standingOf = Effect.fnUntraced(function* (request: PrivacyRequestStore.StoredRequest) {
    const { projectId, contactId, dueAt, email } = request
    const project = yield* Effect.option(projects.get(projectId))
    if (Option.isNone(project)) return Option.none<RequestStanding>()
    const settings = yield* rules.get(projectId)
    const contact = contactId === null ? undefined : Option.getOrUndefined(yield* store.contact(projectId, contactId))
    return Option.some<RequestStanding>({
      projectName: settings.pages.name ?? project.value.name,
      language: project.value.language,
      locale: contact?.locale ?? null,
      email,
      pages: settings.pages,
      state: stateOf(request, contact?.email, settings, yield* DateTime.now),
      dueAt
    })
  })

  const look = Effect.fn("PrivacyRequests.look")(function* ({ project, id }: LinkTarget) {
    const found = yield* store.find(project, id)
    return Option.isNone(found) ? Option.none() : yield* standingOf(found.value)
  })

  const note = (
    { projectId, contactId, id, type }: PrivacyRequestStore.StoredRequest,
    status: "DONE" | "OPEN",
    now: DateTime.Utc
  ) =>
    events.record(
      projectId,
      [
        {
          contact: contactId,
          name: "contact.privacy_requested",
          source: "system",
          data: { requestId: id, type, status }
        }
      ],
      now
    )

  /** Tells the OWNER and ADMINs. */
  const tell = Effect.fnUntraced(function* (
    { projectId, dueAt }: PrivacyRequestStore.StoredRequest,
    email: typeof openMail
  ) {
    const project = yield* Effect.option(projects.get(projectId))
    if (Option.isNone(project) || dueAt === null) return
    yield* mail.post((yield* accounts.administrators(projectId)).map(email(project.value.name, dueAt)))
  })

  const export_ = Effect.fnUntraced(function* (
    request: PrivacyRequestStore.StoredRequest,
    contact: ContactId,
    now: DateTime.Utc
  ) {
    if (request.status === "DONE") return yield* persons.export(request.projectId, contact)
    const done = yield* store.settle(request, { status: "DONE", confirmedAt: now, completedAt: now })
    yield* note(done, "DONE", now)
    yield* audit({
      project: request.projectId,
      action: "privacy_request.completed",
      details: { requestId: request.id, type: request.type }
    })
    return yield* persons.export(request.projectId, contact)
  })

  const confirm = Effect.fn("PrivacyRequests.confirm")(
    function* ({ project, id }: LinkTarget) {
      const held = yield* store.hold(project, id)
      if (Option.isNone(held)) return Option.none<Confirmed>()
      const request = held.value
      const before = yield* standingOf(request)
      if (Option.isNone(before)) return Option.none<Confirmed>()
      const standing = before.value
      const { contactId } = request
      if (contactId === null) return Option.some<Confirmed>({ standing })
      const now = yield* DateTime.now
      switch (standing.state) {
        case "download":
          return Option.some<Confirmed>({ standing, data: yield* export_(request, contactId, now) })
        case "later": {
          const dueAt = DateTime.addDuration(now, dueAfter)
          const remindAt = DateTime.subtractDuration(dueAt, remindBefore)
          const open = yield* store.settle(request, { status: "OPEN", confirmedAt: now, dueAt, remindAt })
          yield* note(open, "OPEN", now)
          yield* tell(open, openMail)
          return Option.some<Confirmed>({ standing: { ...standing, state: "received", dueAt } })
        }
        case "atOnce": {
          yield* store.settle(request, { status: "OPEN", confirmedAt: now })
          yield* failpoint("before_self_erasure")
          yield* persons.erase(project, contactId)
          return Option.some<Confirmed>({ standing: { ...standing, state: "erased" } })
        }
        default:
          return Option.some<Confirmed>({ standing })
      }
    },
    transaction.run,
    // The contact was deleted concurrently.
    (confirmed, asked) =>
      Effect.catchTag(confirmed, "CONTACT_NOT_FOUND", () =>
        Effect.map(
          look(asked),
          Option.map((standing): Confirmed => ({ standing }))
        )
      )
  )

  const found = (project: ProjectId, id: PrivacyRequestId, lock: "find" | "hold") =>
    Effect.flatMap(
      store[lock](project, id),
      Option.match({
        onNone: () => Effect.fail(new ResourceNotFound({ resource: "privacy_request", id })),
        onSome: Effect.succeed
      })
    )

  /** The request, if it waits for an answer. */
  const openOne = Effect.fnUntraced(function* (project: ProjectId, id: PrivacyRequestId) {
    const request = yield* found(project, id, "hold")
    if (request.status !== "OPEN") return yield* new Conflict({ reason: "already_finished" })
    return request
  })

  const complete = Effect.fn("PrivacyRequests.complete")(function* (project: ProjectId, id: PrivacyRequestId) {
    const { contactId, email } = yield* openOne(project, id)
    if (contactId === null || email === null) return yield* Effect.die(`an open request without a person: ${id}`)
    const isGone = Option.isNone(yield* store.contact(project, contactId))
    // A contact that was deleted may have come back under its address.
    const again = isGone ? yield* store.contactAt(project, email) : Option.none()
    const person = Option.match(again, { onNone: () => contactId, onSome: ({ id }) => id })
    yield* isGone && Option.isNone(again)
      ? persons.eraseRemains(project, contactId, email)
      : Effect.catchTag(persons.erase(project, person), "CONTACT_NOT_FOUND", Effect.die)
    return PrivacyRequestStore.recordOf(yield* found(project, id, "find"))
  }, transaction.run)

  const refuse = Effect.fn("PrivacyRequests.refuse")(function* (
    project: ProjectId,
    id: PrivacyRequestId,
    note: string
  ) {
    const request = yield* openOne(project, id)
    const now = yield* DateTime.now
    const refused = yield* store.settle(request, { status: "REFUSED", completedAt: now, note })
    const standing = yield* standingOf(refused)
    if (request.email !== null && Option.isSome(standing)) {
      const settings = yield* rules.get(project)
      yield* mail.post([refusalMail(correspondence(project, request.email, settings, standing.value), note)])
    }
    yield* audit({
      project,
      action: "privacy_request.refused",
      details: { requestId: id, type: request.type }
    })
    return PrivacyRequestStore.recordOf(refused)
  }, transaction.run)

  const list = Effect.fn("PrivacyRequests.list")(function* (project: ProjectId, query: PrivacyRequestQuery) {
    const page = yield* cursorPage(
      cursors,
      {
        scope: JSON.stringify(["privacy-requests", project, query.status, query.type]),
        cursor: query.cursor,
        limit: pageSize(query)
      },
      {
        count: store.count(project, query),
        list: (limit, after) => store.list(project, query, limit, after),
        positionOf: ({ requestedAt, id }) => ({ key: DateTime.formatIso(requestedAt), id })
      }
    )
    return { ...page, data: page.data.map(PrivacyRequestStore.recordOf) }
  })

  const advance = Effect.gen(function* () {
    const now = yield* DateTime.now
    yield* store.expire(now)
    const remind = Effect.gen(function* () {
      const due = yield* store.takeReminders(now, step)
      yield* Effect.forEach(due, (request) => tell(request, dueMail), { discard: true })
      return due.length
    })
    while ((yield* transaction.run(remind)) === step);
  }).pipe(Effect.withSpan("PrivacyRequests.advance"))

  const sweep = Effect.gen(function* () {
    const before = DateTime.subtract(yield* DateTime.now, { years: keptYears })
    while (yield* store.sweepSome(before));
  }).pipe(Effect.withSpan("PrivacyRequests.sweep"))

  return {
    ask,
    look,
    confirm,
    list,
    get: (project, id) => Effect.map(found(project, id, "find"), PrivacyRequestStore.recordOf),
    complete,
    refuse,
    advance,
    sweep
  } satisfies PrivacyRequests
})

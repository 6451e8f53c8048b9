/**
 * Accepts drafts in one transaction: creates or changes their contacts, renders their mails and writes them.
 *
 * The contacts of all drafts are merged by address, in the order of the drafts. Each mail is rendered with its contact as
 * its draft leaves it.
 */
import type { BillingLimitExceeded } from "@posthorn/contract/accounts/billing/Billing"
import type { EmailAlreadyExists } from "@posthorn/contract/audience/contacts/Contact"
import { maxDataBytes } from "@posthorn/contract/audience/contacts/ContactData"
import type { TakingRefusal } from "@posthorn/contract/audience/suppressions/Suppression"
import { TemplateNotFound } from "@posthorn/contract/content/templates/Template"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { SendEmail, SentEmails } from "@posthorn/contract/mail/sending/Send"
import { type ApiKeyHolder, Forbidden, type ProjectId } from "@posthorn/contract/platform/Auth"
import {
  Conflict,
  type Fault,
  type PayloadTooLarge,
  SenderDomainUnverified,
  ValidationError
} from "@posthorn/contract/platform/Errors"
import { domainOf } from "@posthorn/contract/platform/Mailbox"
import { Array, Data, type DateTime, Effect, Option, Predicate, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Billing } from "../../accounts/billing/Billing.ts"
import { Projects } from "../../accounts/projects/Projects.ts"
import { dataTooLarge, type ExternalIdTaken } from "../../audience/contacts/ContactConstraints.ts"
import { type ExpectedUpsert, type KnownContact, upsertOf } from "../../audience/contacts/ContactInput.ts"
import { Contacts } from "../../audience/contacts/Contacts.ts"
import { type DataChange, dataAfter, dataChange, followedBy } from "../../audience/contacts/DataChange.ts"
import { takingRefusal } from "../../audience/contacts/MailConsent.ts"
import { OptInRequests } from "../../audience/optins/OptInRequests.ts"
import { admitted } from "../../audience/optins/OptInRules.ts"
import { AudienceRules } from "../../audience/settings/AudienceRules.ts"
import { unknownTopic } from "../../audience/topics/TopicChoice.ts"
import { topicFault } from "../../audience/topics/TopicOfMail.ts"
import { partialNames } from "../../content/rendering/Partials.ts"
import { TextWork } from "../../content/text/TextWork.ts"
import { failpoint } from "../../platform/Failpoint.ts"
import { Settings } from "../../platform/Settings.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import { asksConsent } from "../Eligibility.ts"
import { Ledger, type NewContent, type NewMail } from "../ledger/Ledger.ts"
import * as AcceptanceSql from "./AcceptanceSql.ts"
import { decodeAttachments } from "./AttachmentBytes.ts"
import {
  type AddressedSend,
  type Draft,
  draftOf,
  namesOf,
  type Recipient,
  recipientsOf,
  type Submitted,
  senderOf
} from "./Draft.ts"
import { type Addressed, type ContactReader, type Copy, draftMail } from "./DraftMail.ts"
import { MailRenderer } from "./MailRenderer.ts"
import { sendTime } from "./SendTime.ts"
import { isTest, takeTestMails } from "./TestMode.ts"

/** Why a draft is not accepted. */
export type SendRefusal =
  | BillingLimitExceeded
  | Conflict
  | EmailAlreadyExists
  | Forbidden
  | PayloadTooLarge
  | SenderDomainUnverified
  | TemplateNotFound
  | ValidationError

/** The drafts that cannot be accepted, by their position. Nothing was written. */
export class DraftsRefused extends Data.TaggedError("DraftsRefused")<{
  readonly refused: ReadonlyMap<number, SendRefusal>
}> {}

/** The refusal of a single draft. */
export const only = ({ refused }: DraftsRefused): Effect.Effect<never, SendRefusal> => {
  const [refusal] = refused.values()
  return refusal === undefined ? Effect.die("a draft was refused") : Effect.fail(refusal)
}

/** The mails of one draft. */
export type SentDraft = Omit<SentEmails["data"], "timestamp">

/** A draft, and its position in the request. */
export interface Placed {
  readonly index: number
  readonly draft: Draft
}

/** A draft with the ids of its new rows. A repeated write uses the same ids. */
interface Numbered extends Placed {
  /** One mail for each recipient, with its contact as this draft leaves it. */
  readonly mails: ReadonlyArray<{
    readonly id: EmailId
    readonly recipient: Recipient
    readonly contact: ExpectedUpsert
  }>
  readonly copies: ReadonlyArray<Copy>
}

/** A try locks the contacts, so the next one succeeds unless a contact was deleted meanwhile. */
const maxTries = 5

const utf8 = new TextEncoder()

/** The number of mails. */
export const sizeOf = ({ recipients, copies }: Pick<Draft, "copies" | "recipients">): number =>
  recipients.length + copies.length

const refusals: { readonly [Reason in TakingRefusal]: string } = {
  UNSUBSCRIBED: "The recipient does not want marketing mail.",
  TOPIC_UNSUBSCRIBED: "The recipient does not want mail of this topic.",
  SNOOZED: "The recipient wants no mail for a time."
}

const noConsent = { snoozedUntil: null, topicsOn: null, topicsOff: null }

const refuseUnwanted = (
  { type, topic, single }: Draft,
  mails: ReadonlyArray<Addressed>,
  known: AcceptanceSql.Found["contacts"],
  now: DateTime.Utc
) => {
  if (!asksConsent(type, "TRANSACTIONAL", topic?.id ?? null)) return Effect.void
  const faults = mails.flatMap(({ reader: { email, subscribed } }, index): ReadonlyArray<Fault> => {
    const refusal = takingRefusal({ ...(known.get(email) ?? noConsent), subscribed }, topic, now)
    if (refusal === undefined) return []
    const field = single ? "to" : `to.${index}`
    return [{ field, code: "contact_unsubscribed", message: refusals[refusal], received: email }]
  })
  return faults.length > 0 ? Effect.fail(new ValidationError({ errors: faults.slice(0, 50) })) : Effect.void
}

/** The contact as this request leaves it. */
const readerOf = (
  projectId: ProjectId,
  { id, email, subscribed, subscribedWhenNew = true, data }: ExpectedUpsert,
  known: KnownContact | undefined
): ContactReader => ({
  id: known?.id ?? id,
  projectId,
  email,
  subscribed: subscribed ?? known?.subscribed ?? subscribedWhenNew,
  data: dataAfter(known?.data ?? {}, data)
})

const templateOf = ({
  template,
  templateId,
  templateAlias
}: Pick<SendEmail, "template" | "templateAlias" | "templateId">): AcceptanceSql.TemplateName => ({
  id: template ?? templateId ?? undefined,
  alias: templateAlias ?? undefined
})

const maySendFrom = (domain: string, apiKey: ApiKeyHolder | undefined) =>
  apiKey === undefined || apiKey.senderDomains.length === 0 || apiKey.senderDomains.includes(domain)

export type Acceptance = Effect.Success<typeof make>

export const make = Effect.gen(function* () {
  const statements = yield* AcceptanceSql.make
  const billing = yield* Billing
  const ledger = yield* Ledger
  const optIns = yield* OptInRequests
  const rules = yield* AudienceRules
  const { mail: wakeup } = yield* Wakeups
  const renderer = yield* MailRenderer
  const projects = yield* Projects
  const random = yield* SecureRandom.SecureRandom
  const transaction = yield* Transaction
  const settings = yield* Settings
  const sql = yield* SqlClient.SqlClient
  const work = yield* TextWork
  const contacts = yield* Contacts

  /** Reads contacts by their addresses. A contact that is about to move is under its new address in the result. */
  const lookAt = Effect.fnUntraced(function* (
    project: ProjectId,
    recipients: ReadonlyArray<Recipient>,
    wanted: Omit<AcceptanceSql.Wanted, "addresses">
  ) {
    const addresses = new Set(recipients.flatMap(({ email, contact }) => (contact ? [email, contact.email] : [email])))
    const found = yield* statements.look(project, { ...wanted, addresses: [...addresses] })
    const moving = recipients.flatMap(({ email, contact }) => {
      const known = contact && found.contacts.get(contact.email)
      return known?.id === contact?.id && known !== undefined ? [[email, { ...known, email }] as const] : []
    })
    return moving.length === 0 ? found : { ...found, contacts: new Map([...found.contacts, ...moving]) }
  })

  /**
   * The requests with an address for each recipient. Locks the contacts until the transaction ends, and writes nothing:
   * contacts move when the mail is accepted.
   */
  const withAddresses = Effect.fnUntraced(function* (project: ProjectId, inputs: ReadonlyArray<SendEmail>) {
    const names = inputs.map(namesOf)
    const { found } = yield* contacts.identify(project, names.flat())
    let next = 0
    return inputs.map((input, n): Result.Result<AddressedSend, SendRefusal> => {
      const people = (names[n] ?? []).map((given, position) => ({ given, position, result: found[next++] }))
      const faults: Array<Fault> = []
      const recipients: Array<Recipient> = []
      for (const { given, position, result } of people) {
        if (result === undefined) continue
        if (Result.isFailure(result)) {
          if (result.failure._tag !== "AddressMissing") return Result.fail(result.failure)
          const field = Array.isArray(input.to) ? `to.${position}.externalId` : "to.externalId"
          const message = "No contact has this id, so an email is required."
          faults.push({ field, code: "custom", message, received: given.externalId ?? "" })
          continue
        }
        const { id, email, storedEmail, isIdNew } = result.success
        recipients.push({
          email,
          name: given.name,
          ...(isIdNew && { externalId: given.externalId }),
          ...(id !== undefined &&
            storedEmail !== undefined &&
            storedEmail !== email && { contact: { id, email: storedEmail } })
        })
      }
      if (faults.length > 0) return Result.fail(new ValidationError({ errors: faults.slice(0, 50) }))
      const [first] = recipients
      return Result.succeed({ ...input, to: Array.isArray(input.to) || first === undefined ? recipients : first })
    })
  })

  /** One statement reads what the requests need. The contacts are those of their recipients, unless given. */
  const look = (
    project: ProjectId,
    inputs: ReadonlyArray<AddressedSend>,
    contacts: ReadonlyArray<Recipient> = inputs.flatMap(recipientsOf)
  ) =>
    lookAt(project, contacts, {
      templates: inputs.map(templateOf),
      partials: partialNames(
        ...inputs.flatMap(({ interpolate, body, text }) => (interpolate === false ? [] : [body, text]))
      ),
      senderDomains: inputs.flatMap((input) => {
        const sender = senderOf(input)
        return sender === undefined ? [] : [domainOf(sender.email)]
      }),
      topics: inputs.flatMap(({ topic }) => topic ?? [])
    })

  /** The topic of the request, else that of the template. */
  const topicOf = Effect.fnUntraced(function* (
    { topic: name }: Pick<SendEmail, "topic">,
    template: AcceptanceSql.SentTemplate | undefined,
    found: AcceptanceSql.Found
  ) {
    const topic = name == null ? (template?.topic ?? null) : found.topic(name)
    if (topic === undefined) return yield* unknownTopic("topic", name ?? "")
    const fault = topicFault(template?.type ?? "TRANSACTIONAL", topic, template?.topicRequired ?? false, "topic")
    if (fault !== undefined) return yield* new ValidationError({ errors: [fault] })
    if (topic?.archived) return yield* new Conflict({ reason: "topic_archived" })
    return topic
  })

  /** How the request changes the subscription of its recipients. Without a word about it nothing is read. */
  const consentOf = Effect.fnUntraced(function* (
    project: ProjectId,
    { doubleOptIn }: Pick<SendEmail, "doubleOptIn">,
    { subscribed }: Pick<Draft, "subscribed">
  ) {
    if (subscribed === undefined && doubleOptIn !== true) return {}
    const state = { subscribed, subscribedWhenNew: false }
    const { asks, ...left } = admitted(yield* rules.getCached(project), { isPublic: false, call: doubleOptIn }, state)
    return { asks, subscribed: left.subscribed }
  })

  /** Asks the recipients to confirm, and ends what recipients are asked who were unsubscribed. */
  const askRecipients = Effect.fnUntraced(function* (
    project: ProjectId,
    drafts: ReadonlyArray<{ readonly draft: Draft; readonly addressed: ReadonlyArray<Addressed> }>,
    known: AcceptanceSql.Found["contacts"]
  ) {
    for (const { draft, addressed } of drafts) {
      if (isTest(draft)) continue
      if (draft.subscribed === false) {
        yield* optIns.cancelAll(
          project,
          addressed.map(({ reader }) => reader.id)
        )
      }
      for (const { reader } of addressed) {
        if (draft.asks !== true || reader.subscribed) continue
        const request = { subscribe: true, topics: [], source: "send", madeContact: !known.has(reader.email) } as const
        yield* Effect.catchTag(optIns.request(project, reader.id, request), "CONTACT_NOT_FOUND", () => Effect.void)
      }
    }
  })

  /** Completes a request. A submitted message has recipients and attachments of its own. */
  const draft = Effect.fnUntraced(function* (
    project: ProjectId,
    input: AddressedSend,
    found: AcceptanceSql.Found,
    now: DateTime.Utc,
    apiKey?: ApiKeyHolder,
    submitted?: Submitted
  ): Effect.fn.Return<Draft, SendRefusal> {
    const attachments =
      submitted?.attachments ??
      (yield* decodeAttachments(input.attachments ?? [], settings).pipe(
        Effect.provideService(SecureRandom.SecureRandom, random)
      ))
    const name = templateOf(input)
    const template = found.template(name)
    const named = name.id ?? name.alias
    if (named !== undefined && template === undefined) return yield* new TemplateNotFound({ id: named })
    const scheduledFor = yield* sendTime(input.scheduledFor, now)
    const owner = yield* Effect.orDie(projects.getCached(project))
    const topic = yield* topicOf(input, template, found)
    const made = yield* draftOf(input, { template, partials: found.partials, topic }, owner, attachments, work)
    const consent = yield* consentOf(project, input, made)
    const completed = { ...made, ...submitted, ...consent, scheduledFor, apiKey }
    if (submitted !== undefined && completed.copies.length > 0 && completed.type !== "TRANSACTIONAL") {
      return yield* ValidationError.one("template", "custom", "Only a transactional email has copies.")
    }
    const domain = domainOf(completed.from.email)
    if (!found.verifiedDomains.has(domain)) return yield* new SenderDomainUnverified({ domain })
    if (!maySendFrom(domain, apiKey)) return yield* new Forbidden({ reason: "sender_domain", domain })
    return completed
  })

  /** The number of mails for later that still fit into the project; infinite without a limit. */
  const scheduledRoom = (project: ProjectId): Effect.Effect<number> => {
    const { maxScheduledEmails } = settings
    return maxScheduledEmails === 0
      ? Effect.succeed(Number.POSITIVE_INFINITY)
      : Effect.map(statements.scheduled(project), (waiting) => maxScheduledEmails - waiting)
  }

  const noScheduledRoom = () =>
    ValidationError.one(
      "scheduledFor",
      "too_big",
      `At most ${settings.maxScheduledEmails} scheduled mails of a project wait at a time.`
    )

  const number = Effect.fnUntraced(function* (placed: Array.NonEmptyReadonlyArray<Placed>) {
    const merged = new Map<
      string,
      { readonly data: DataChange; readonly subscribed: boolean | undefined; readonly externalId: string | undefined }
    >()
    const left = placed.map((each) => {
      const { recipients, data, subscribed } = each.draft
      for (const { email, name, externalId } of recipients) {
        const before = merged.get(email)
        const own = dataChange(name === undefined || Object.hasOwn(data, "name") ? data : { ...data, name })
        merged.set(email, {
          data: before === undefined ? own : followedBy(before.data, own),
          subscribed: subscribed ?? before?.subscribed,
          externalId: externalId ?? before?.externalId
        })
      }
      return { ...each, state: new Map(recipients.map(({ email }) => [email, merged.get(email)])) }
    })
    const contacts = yield* Effect.forEach(merged, ([email, { data, subscribed, externalId }]) =>
      Effect.map(
        upsertOf(
          random,
          { email, ...(externalId !== undefined && { externalId }), subscribed, data: {}, subscribedWhenNew: false },
          { reason: "send" }
        ),
        (upsert) => ({ ...upsert, data })
      )
    )
    const contactOf = new Map(contacts.map((contact) => [contact.email, contact]))
    const numbered = yield* Effect.forEach(
      left,
      Effect.fnUntraced(function* ({ index, draft, state }) {
        const mails = yield* Effect.forEach(draft.recipients, (recipient) => {
          const [contact, { data, subscribed } = {}] = [contactOf.get(recipient.email), state.get(recipient.email)]
          if (contact === undefined || data === undefined) return Effect.die("every recipient has a contact")
          const left = { ...contact, subscribed, data }
          return Effect.map(random.uuidV7(), (id) => ({ id: EmailId.make(id), recipient, contact: left }))
        })
        const copies = yield* Effect.forEach(draft.copies, (recipient) =>
          Effect.map(random.uuidV7(), (id) => ({ id: EmailId.make(id), recipient }))
        )
        return { index, draft, mails, copies } satisfies Numbered
      })
    )
    return { contacts, numbered }
  })

  /** Renders one draft. Mails with the same text share it across drafts. */
  const rendered = Effect.fnUntraced(function* (
    { draft, mails, copies }: Numbered,
    known: AcceptanceSql.Found["contacts"],
    contents: Map<string, NewContent>,
    now: DateTime.Utc
  ): Effect.fn.Return<
    { readonly addressed: ReadonlyArray<Addressed>; readonly mail: Omit<NewMail, "contents"> },
    SendRefusal
  > {
    const addressed = Array.map(mails, ({ id, recipient, contact }) => ({
      id,
      recipient,
      reader: readerOf(draft.project.id, contact, known.get(contact.email))
    }))
    yield* refuseUnwanted(draft, addressed, known, now)
    const mail = yield* draftMail(renderer, draft, addressed, copies, contents, settings.maxMessageBytes)
    return { addressed, mail }
  })

  const isTooLarge = ({ draft, mails }: Numbered, known: AcceptanceSql.Found["contacts"]) =>
    mails.some(({ contact }) => {
      const { data } = readerOf(draft.project.id, contact, known.get(contact.email))
      return utf8.encode(JSON.stringify(data)).length > maxDataBytes
    })

  /** Mail of test mode writes no contacts. */
  const storeTest = Effect.fnUntraced(function* (project: ProjectId, mail: NewMail, now: DateTime.Utc) {
    yield* takeTestMails(sql, project, mail.emails.length, now)
    return yield* ledger.accept(project, mail.emails, mail.contents, mail.attachments, now, mail.groups)
  })

  /**
   * Writes the drafts. None if a contact changed since it was read; then no mail is written. A faulty draft refuses all of
   * them, or is left out with its contacts if `skip` is set.
   */
  const attempt = Effect.fnUntraced(function* (
    project: ProjectId,
    drafts: Array.NonEmptyReadonlyArray<Placed>,
    known: AcceptanceSql.Found["contacts"],
    now: DateTime.Utc,
    skip: boolean
  ) {
    const refused = new Map<number, SendRefusal>()
    for (let left = drafts; ; ) {
      const { contacts: upserts, numbered } = yield* number(left)
      const texts = new Map<string, NewContent>()
      const made = yield* Effect.forEach(numbered, (each) => {
        const tooLarge = numbered.length > 1 && isTooLarge(each, known)
        const mail = tooLarge ? dataTooLarge() : rendered(each, known, texts, now)
        return Effect.map(Effect.result(mail), (result) => ({ each, result }))
      })
      const faulty = made.flatMap(({ each: { index }, result }) =>
        Result.isFailure(result) ? [[index, result.failure] as const] : []
      )
      if (faulty.length > 0 && !skip) return yield* new DraftsRefused({ refused: new Map(faulty) })
      for (const [index, refusal] of faulty) refused.set(index, refusal)
      const accepted = made.flatMap(({ each, result }) =>
        Result.isSuccess(result) ? [{ ...each, ...result.success }] : []
      )
      if (!Array.isArrayNonEmpty(accepted)) return Option.some({ accepted: new Map<number, SentDraft>(), refused })
      if (faulty.length > 0) {
        left = accepted
        continue
      }
      const mail = {
        emails: Array.flatMap(accepted, ({ mail }) => mail.emails),
        contents: [...texts.values()],
        attachments: accepted.flatMap(({ mail }) => mail.attachments),
        groups: accepted.flatMap(({ mail }) => mail.groups ?? [])
      }
      const expected = Array.map(upserts, (contact) => ({ ...contact, known: known.get(contact.email) }))
      const moves = accepted.flatMap(({ draft }) =>
        draft.recipients.flatMap(({ email, contact }) => (contact ? [{ id: contact.id, email }] : []))
      )
      if (moves.length > 0) yield* contacts.move(project, moves)
      yield* failpoint("before_accept_commit")
      const ids = Array.map(mail.emails, ({ id }) => id)
      const store = transaction
        .orFind(
          statements.accept(project, expected, mail, now),
          Effect.map(ledger.findAccepted(project, ids), Option.map(Option.some))
        )
        .pipe(
          Effect.catchTag("DataTooLarge", () =>
            Effect.mapError(
              dataTooLarge(),
              (refusal) => new DraftsRefused({ refused: new Map([[accepted[0].index, refusal]]) })
            )
          )
        )
      const stored = yield* isTest(accepted[0].draft) ? Effect.map(storeTest(project, mail, now), Option.some) : store
      if (Option.isNone(stored)) return Option.none()
      yield* Effect.mapError(
        askRecipients(project, accepted, known),
        (refusal) => new DraftsRefused({ refused: new Map([[accepted[0].index, refusal]]) })
      )
      const isNow = accepted.some(({ draft }) => draft.scheduledFor === null)
      if (isNow) yield* transaction.afterCommit(wakeup.wake)
      // With an Idempotency-Key, the transaction of the request is around this one, and its commit accepts the mail.
      yield* transaction.afterCommit(failpoint("after_accept_commit"))
      return Option.some({
        refused,
        accepted: new Map(
          accepted.map(({ index, draft, addressed, copies }) => {
            const waiting = draft.scheduledFor === null ? ("PENDING" as const) : ("SCHEDULED" as const)
            const statusOf = (id: EmailId) => (stored.value.get(id) == null ? waiting : ("SUPPRESSED" as const))
            const copied = copies.map(({ id, recipient: { email, type } }) => ({
              to: email,
              // A submitted message may have others, and is answered with an id alone.
              type: type as "BCC" | "CC",
              email: id,
              status: statusOf(id)
            }))
            const emails = addressed.map(({ id, reader }) => ({
              contact: { id: reader.id, email: reader.email },
              email: id,
              status: statusOf(id)
            }))
            return [index, { emails, ...(copied.length > 0 && { copies: copied }) } satisfies SentDraft] as const
          })
        )
      })
    }
  })

  const untilAccepted = Effect.fnUntraced(function* (
    project: ProjectId,
    drafts: Array.NonEmptyReadonlyArray<Placed>,
    first: AcceptanceSql.Found["contacts"],
    now: DateTime.Utc,
    skip: boolean
  ) {
    const recipients = drafts.flatMap(({ draft }) => draft.recipients)
    let known = first
    for (let tries = 0; tries < maxTries; tries++) {
      const accepted = yield* attempt(project, drafts, known, now, skip)
      if (Option.isSome(accepted)) return accepted.value
      known = (yield* lookAt(project, recipients, { templates: [], senderDomains: [] })).contacts
    }
    return yield* Effect.die("contacts change while they are locked")
  })

  const mailsOf = (accepted: ReadonlyMap<number, SentDraft>) =>
    [...accepted.values()].flatMap(({ emails, copies = [] }) => [...emails, ...copies])

  /** Charges the caps in the transaction that stores the mails. */
  const charged = Effect.fnUntraced(function* (
    project: ProjectId,
    drafts: Array.NonEmptyReadonlyArray<Placed>,
    known: AcceptanceSql.Found["contacts"],
    now: DateTime.Utc,
    skip: boolean
  ) {
    const count = drafts.reduce((sum, { draft }) => sum + sizeOf(draft), 0)
    yield* billing.charge(project, "transactional", count)
    const outcome = yield* untilAccepted(project, drafts, known, now, skip)
    const mails = mailsOf(outcome.accepted)
    const sent = mails.filter(({ status }) => status !== "SUPPRESSED").length
    yield* billing.giveBack(project, "transactional", count - sent)
    return outcome
  })

  /** A single contact, or none, needs one statement. Several contacts, a cap or a second try need a transaction. */
  const accept = Effect.fn("Sending.accept")(function* (
    project: ProjectId,
    drafts: Array.NonEmptyReadonlyArray<Placed>,
    known: AcceptanceSql.Found["contacts"],
    now: DateTime.Utc,
    { skip }: { readonly skip: boolean } = { skip: false }
  ) {
    const isTestMode = isTest(drafts[0].draft)
    const isSingle =
      !isTestMode &&
      drafts.length === 1 &&
      drafts[0].draft.asks !== true &&
      drafts[0].draft.subscribed !== false &&
      new Set(drafts[0].draft.recipients.map(({ email }) => email)).size <= 1 &&
      !(yield* billing.isCapped(project, "transactional"))
    const done = isSingle ? yield* attempt(project, drafts, known, now, skip) : Option.none()
    if (Option.isSome(done)) return done.value
    // Mail of test mode is in no bill.
    const write = isTestMode ? untilAccepted : charged
    return yield* transaction.runOrFind(write(project, drafts, known, now, skip), ({ accepted }) => {
      const [first] = mailsOf(accepted)
      return first === undefined
        ? Effect.succeed(true)
        : Effect.map(ledger.findAccepted(project, [EmailId.make(first.email)]), Option.isSome)
    })
  })

  /**
   * Runs requests whose recipients have ids, in a transaction. Of two requests with one new id the unique index refuses
   * one, which then finds the contact.
   */
  const identified = <A, E, R>(effect: Effect.Effect<A, E | ExternalIdTaken, R>) =>
    transaction.attempt(effect).pipe(Effect.retry({ times: 1, while: Predicate.isTagged("ExternalIdTaken") }))

  return { look, withAddresses, identified, draft, scheduledRoom, noScheduledRoom, accept }
})

/**
 * Accepts drafts in one transaction: creates or changes their contacts, renders their mails and writes them.
 *
 * The contacts of all drafts are merged by address, in the order of the drafts. Each mail is rendered with its contact as
 * its draft leaves it.
 */
import type { BillingLimitExceeded } from "@posthorn/contract/accounts/billing/Billing"
import { maxDataBytes } from "@posthorn/contract/audience/contacts/ContactData"
import type { TakingRefusal } from "@posthorn/contract/audience/suppressions/Suppression"
import { TemplateNotFound } from "@posthorn/contract/content/templates/Template"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { SendEmail, SentEmails } from "@posthorn/contract/mail/sending/Send"
import { type ApiKeyHolder, Forbidden, type ProjectId } from "@posthorn/contract/platform/Auth"
import {
  type Fault,
  type PayloadTooLarge,
  SenderDomainUnverified,
  ValidationError
} from "@posthorn/contract/platform/Errors"
import { domainOf } from "@posthorn/contract/platform/Mailbox"
import { Array, Data, type DateTime, Effect, Option, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Billing } from "../../accounts/billing/Billing.ts"
import { Projects } from "../../accounts/projects/Projects.ts"
import { dataTooLarge } from "../../audience/contacts/ContactConstraints.ts"
import { type ExpectedUpsert, type KnownContact, upsertOf } from "../../audience/contacts/ContactInput.ts"
import { type DataChange, dataAfter, dataChange, followedBy } from "../../audience/contacts/DataChange.ts"
import { takingRefusal } from "../../audience/contacts/MailConsent.ts"
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
import { type Draft, draftOf, type Recipient, recipientsOf, type Submitted, senderOf } from "./Draft.ts"
import { type Addressed, type ContactReader, type Copy, draftMail } from "./DraftMail.ts"
import { MailRenderer } from "./MailRenderer.ts"
import { sendTime } from "./SendTime.ts"
import { isTest, takeTestMails } from "./TestMode.ts"

/** Why a draft is not accepted. */
export type SendRefusal =
  | BillingLimitExceeded
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
  { type, single }: Draft,
  mails: ReadonlyArray<Addressed>,
  known: AcceptanceSql.Found["contacts"],
  now: DateTime.Utc
) => {
  if (!asksConsent(type, "TRANSACTIONAL", null)) return Effect.void
  const faults = mails.flatMap(({ reader: { email, subscribed } }, index): ReadonlyArray<Fault> => {
    const refusal = takingRefusal({ ...(known.get(email) ?? noConsent), subscribed }, null, now)
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

const templateOf = ({ template, templateId, templateAlias }: SendEmail): AcceptanceSql.TemplateName => ({
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
  const { mail: wakeup } = yield* Wakeups
  const renderer = yield* MailRenderer
  const projects = yield* Projects
  const random = yield* SecureRandom.SecureRandom
  const transaction = yield* Transaction
  const settings = yield* Settings
  const sql = yield* SqlClient.SqlClient
  const work = yield* TextWork

  /** One statement reads what the requests need. The contacts are those of their recipients, unless given. */
  const look = (
    project: ProjectId,
    inputs: ReadonlyArray<SendEmail>,
    contacts: ReadonlyArray<Recipient> = inputs.flatMap(recipientsOf)
  ) =>
    statements.look(project, {
      templates: inputs.map(templateOf),
      partials: partialNames(
        ...inputs.flatMap(({ interpolate, body, text }) => (interpolate === false ? [] : [body, text]))
      ),
      senderDomains: inputs.flatMap((input) => {
        const sender = senderOf(input)
        return sender === undefined ? [] : [domainOf(sender.email)]
      }),
      addresses: [...new Set(contacts.map(({ email }) => email))]
    })

  /** Completes a request. A submitted message has recipients and attachments of its own. */
  const draft = Effect.fnUntraced(function* (
    project: ProjectId,
    input: SendEmail,
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
    const made = yield* draftOf(input, { template, partials: found.partials }, owner, attachments, work)
    const completed = { ...made, ...submitted, scheduledFor, apiKey }
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
    const merged = new Map<string, { readonly data: DataChange; readonly subscribed: boolean | undefined }>()
    const left = placed.map((each) => {
      const { recipients, data, subscribed } = each.draft
      for (const { email, name } of recipients) {
        const before = merged.get(email)
        const own = dataChange(name === undefined || Object.hasOwn(data, "name") ? data : { ...data, name })
        merged.set(email, {
          data: before === undefined ? own : followedBy(before.data, own),
          subscribed: subscribed ?? before?.subscribed
        })
      }
      return { ...each, state: new Map(recipients.map(({ email }) => [email, merged.get(email)])) }
    })
    const contacts = yield* Effect.forEach(merged, ([email, { data, subscribed }]) =>
      Effect.map(
        upsertOf(random, { email, subscribed, data: {}, subscribedWhenNew: false }, { reason: "send" }),
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
      const { contacts, numbered } = yield* number(left)
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
      const expected = Array.map(contacts, (contact) => ({ ...contact, known: known.get(contact.email) }))
      yield* failpoint("before_accept_commit")
      const ids = Array.map(mail.emails, ({ id }) => id)
      const store = transaction
        .orFind(
          statements.accept(project, expected, mail, now),
          Effect.map(ledger.findAccepted(project, ids), Option.map(Option.some))
        )
        .pipe(
          Effect.catchTag("DataTooLarge", dataTooLarge),
          Effect.mapError((refusal) => new DraftsRefused({ refused: new Map([[accepted[0].index, refusal]]) }))
        )
      const stored = yield* isTest(accepted[0].draft) ? Effect.map(storeTest(project, mail, now), Option.some) : store
      if (Option.isNone(stored)) return Option.none()
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
    const addresses = [...new Set(drafts.flatMap(({ draft }) => draft.recipients.map(({ email }) => email)))]
    let known = first
    for (let tries = 0; tries < maxTries; tries++) {
      const accepted = yield* attempt(project, drafts, known, now, skip)
      if (Option.isSome(accepted)) return accepted.value
      known = (yield* statements.look(project, { templates: [], senderDomains: [], addresses })).contacts
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

  return { look, draft, scheduledRoom, noScheduledRoom, accept }
})

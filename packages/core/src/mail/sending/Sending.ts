/** Accepts mail to one or many recipients in one transaction. */

import type { BillingLimitExceeded } from "@posthorn/contract/accounts/billing/Billing"
import type { ContactData } from "@posthorn/contract/audience/contacts/Contact"
import { TemplateNotFound } from "@posthorn/contract/content/templates/Template"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import {
  type Fault,
  type PayloadTooLarge,
  SenderDomainUnverified,
  ValidationError
} from "@posthorn/contract/platform/Errors"
import { domainOf } from "@posthorn/contract/platform/Mailbox"
import type { SendEmail, SentEmails } from "@posthorn/contract/service/v1/Send"
import { Array, Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { Billing } from "../../accounts/billing/Billing.ts"
import { Projects } from "../../accounts/projects/Projects.ts"
import { type ExpectedUpsert, type KnownContact, upsertOf } from "../../audience/contacts/ContactInput.ts"
import { dataAfter } from "../../audience/contacts/DataChange.ts"
import { dataTooLarge } from "../../audience/contacts/DataTooLarge.ts"
import type { SuppressedAddress } from "../../audience/suppression/SuppressedAddress.ts"
import { TextWork } from "../../content/text/TextWork.ts"
import { failpoint } from "../../platform/Failpoint.ts"
import { Settings } from "../../platform/Settings.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import { asksConsent } from "../Eligibility.ts"
import { Ledger } from "../ledger/Ledger.ts"
import * as Acceptance from "./AcceptanceSql.ts"
import { decodeAttachments } from "./AttachmentBytes.ts"
import { type Draft, draftOf, type Recipient, recipientsOf, senderOf } from "./Draft.ts"
import { type Addressed, type ContactReader, type Copy, draftMail } from "./DraftMail.ts"
import { MailRenderer } from "./MailRenderer.ts"
import { sendTime } from "./SendTime.ts"

/** Accepts mail. A service, because HTTP handlers call it. */
export class Sending extends Context.Service<
  Sending,
  {
    /**
     * Stores one mail for each recipient, or none at all, and wakes the sender. Contacts are created or changed in the same
     * transaction.
     */
    readonly send: (
      project: ProjectId,
      input: SendEmail
    ) => Effect.Effect<
      SentEmails["data"],
      BillingLimitExceeded | PayloadTooLarge | SenderDomainUnverified | TemplateNotFound | ValidationError
    >
  }
>()("@posthorn/core/mail/sending/Sending") {}

/** A draft with the ids of its new rows. A retry uses the same ids. */
interface Numbered {
  readonly draft: Draft
  /** Each address once. */
  readonly contacts: Array.NonEmptyReadonlyArray<ExpectedUpsert>
  /** One mail for each recipient, with its contact. */
  readonly mails: Array.NonEmptyReadonlyArray<{
    readonly id: EmailId
    readonly recipient: Recipient
    readonly contact: ExpectedUpsert
  }>
  readonly copies: ReadonlyArray<Copy>
}

/** The number of mails. */
const sizeOf = ({ recipients, copies }: Pick<Draft, "copies" | "recipients">) => recipients.length + copies.length

/** A try locks the contacts, so the next one succeeds unless a contact was deleted meanwhile. */
const maxTries = 5

const refuseUnsubscribed = ({ type, single }: Draft, mails: ReadonlyArray<Addressed>) => {
  if (!asksConsent(type, "TRANSACTIONAL")) return Effect.void
  const faults = mails.flatMap(({ reader: { email, subscribed } }, index): ReadonlyArray<Fault> => {
    const field = single ? "to" : `to.${index}`
    const message = "The recipient does not want marketing mail."
    return subscribed ? [] : [{ field, code: "contact_unsubscribed", message, received: email }]
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

export const layer: Layer.Layer<
  Sending,
  never,
  | Billing
  | Ledger
  | MailRenderer
  | Projects
  | SecureRandom.SecureRandom
  | SqlClient.SqlClient
  | SuppressedAddress
  | Transaction
  | Wakeups
> = Layer.effect(
  Sending,
  Effect.gen(function* () {
    const acceptance = yield* Acceptance.make
    const billing = yield* Billing
    const ledger = yield* Ledger
    const { mail: wakeup } = yield* Wakeups
    const renderer = yield* MailRenderer
    const projects = yield* Projects
    const random = yield* SecureRandom.SecureRandom
    const transaction = yield* Transaction
    const settings = yield* Settings
    const work = yield* TextWork

    const requireRoom = Effect.fnUntraced(function* (project: ProjectId, mails: number) {
      const { maxScheduledEmails } = settings
      if (maxScheduledEmails === 0) return
      if ((yield* acceptance.scheduled(project)) + mails <= maxScheduledEmails) return
      const message = `At most ${maxScheduledEmails} scheduled mails of a project wait at a time.`
      return yield* ValidationError.one("scheduledFor", "too_big", message)
    })

    const number = Effect.fnUntraced(function* (draft: Draft) {
      const byAddress = new Map<string, ContactData>()
      for (const { email, name } of draft.recipients) {
        const own = name === undefined || Object.hasOwn(draft.data, "name") ? draft.data : { ...draft.data, name }
        byAddress.set(email, { ...byAddress.get(email), ...own })
      }
      const contacts = yield* Effect.forEach(byAddress, ([email, data]) =>
        upsertOf(random, { email, data, subscribed: draft.subscribed, subscribedWhenNew: false }, { reason: "send" })
      )
      const contactOf = new Map(contacts.map((contact) => [contact.email, contact]))
      const mails = yield* Effect.forEach(draft.recipients, (recipient) => {
        const contact = contactOf.get(recipient.email)
        if (contact === undefined) return Effect.die("every recipient has a contact")
        return Effect.map(random.uuidV7(), (id) => ({ id: EmailId.make(id), recipient, contact }))
      })
      const copies = yield* Effect.forEach(draft.copies, (recipient) =>
        Effect.map(random.uuidV7(), (id) => ({ id: EmailId.make(id), recipient }))
      )
      if (!Array.isArrayNonEmpty(contacts) || !Array.isArrayNonEmpty(mails)) {
        return yield* Effect.die("a draft has recipients")
      }
      return { draft, contacts, mails, copies } satisfies Numbered
    })

    /** None if a contact changed since it was read. Then no mail is written. */
    const attempt = Effect.fnUntraced(
      function* ({ draft, contacts, mails, copies }: Numbered, known: Acceptance.Found["contacts"], now: DateTime.Utc) {
        const project = draft.project.id
        const addressed = Array.map(mails, ({ id, recipient, contact }) => ({
          id,
          recipient,
          reader: readerOf(project, contact, known.get(contact.email))
        }))
        yield* refuseUnsubscribed(draft, addressed)
        const mail = yield* draftMail(renderer, draft, addressed, copies, settings.maxMessageBytes)
        const expected = Array.map(contacts, (contact) => ({ ...contact, known: known.get(contact.email) }))
        yield* failpoint("before_accept_commit")
        const ids = Array.map(mail.emails, ({ id }) => id)
        const accepted = yield* transaction.orFind(
          acceptance.accept(project, expected, mail, now),
          Effect.map(ledger.findAccepted(project, ids), Option.map(Option.some))
        )
        if (Option.isNone(accepted)) return Option.none()
        const waiting = draft.scheduledFor === null ? ("PENDING" as const) : ("SCHEDULED" as const)
        if (draft.scheduledFor === null) yield* transaction.afterCommit(wakeup.wake)
        // With an Idempotency-Key, the transaction of the request is around this one, and its commit accepts the mail.
        yield* transaction.afterCommit(failpoint("after_accept_commit"))
        const statusOf = (id: EmailId) => (accepted.value.get(id) == null ? waiting : ("SUPPRESSED" as const))
        return Option.some({
          emails: Array.map(addressed, ({ id, reader }) => ({
            contact: { id: reader.id, email: reader.email },
            email: id,
            status: statusOf(id)
          })),
          copies: copies.map(({ id, recipient: { email, type } }) => ({
            to: email,
            type,
            email: id,
            status: statusOf(id)
          }))
        })
      },
      Effect.catchTag("DataTooLarge", dataTooLarge)
    )

    const untilAccepted = Effect.fnUntraced(function* (
      numbered: Numbered,
      first: Acceptance.Found["contacts"],
      now: DateTime.Utc
    ) {
      const addresses = numbered.contacts.map(({ email }) => email)
      let known = first
      for (let tries = 0; tries < maxTries; tries++) {
        const accepted = yield* attempt(numbered, known, now)
        if (Option.isSome(accepted)) return accepted.value
        known = (yield* acceptance.look(numbered.draft.project.id, { addresses })).contacts
      }
      return yield* Effect.die("contacts change while they are locked")
    })

    /** Charges the caps in the transaction that stores the mails. */
    const charged = Effect.fnUntraced(function* (
      numbered: Numbered,
      known: Acceptance.Found["contacts"],
      now: DateTime.Utc
    ) {
      const project = numbered.draft.project.id
      yield* billing.charge(project, "transactional", sizeOf(numbered.draft))
      const accepted = yield* untilAccepted(numbered, known, now)
      const suppressed = [...accepted.emails, ...accepted.copies].filter(({ status }) => status === "SUPPRESSED")
      yield* billing.giveBack(project, "transactional", suppressed.length)
      return accepted
    })

    /** One recipient needs one statement. Several recipients, a cap or a second try need a transaction. */
    const accept = Effect.fn("Sending.accept")(function* (
      draft: Draft,
      known: Acceptance.Found["contacts"],
      now: DateTime.Utc
    ) {
      const numbered = yield* number(draft)
      const isSingle = numbered.contacts.length === 1 && !(yield* billing.isCapped(draft.project.id, "transactional"))
      const accepted = isSingle ? yield* attempt(numbered, known, now) : Option.none()
      if (Option.isSome(accepted)) return accepted.value
      return yield* transaction.runOrFind(charged(numbered, known, now), ({ emails: [{ email }] }) =>
        Effect.map(ledger.findAccepted(draft.project.id, [email]), Option.isSome)
      )
    })

    const send = Effect.fn("Sending.send")(function* (project: ProjectId, input: SendEmail) {
      const now = yield* DateTime.now
      const attachments = yield* decodeAttachments(input.attachments ?? [], settings).pipe(
        Effect.provideService(SecureRandom.SecureRandom, random)
      )
      const template = input.template ?? input.templateId ?? undefined
      const templateAlias = input.templateAlias ?? undefined
      const named = template ?? templateAlias
      const sender = senderOf(input)
      const found = yield* acceptance.look(project, {
        template,
        templateAlias,
        senderDomain: sender && domainOf(sender.email),
        addresses: recipientsOf(input).map(({ email }) => email)
      })
      if (named !== undefined && found.template === undefined) return yield* new TemplateNotFound({ id: named })
      const scheduledFor = yield* sendTime(input.scheduledFor, now)
      const draft = {
        ...(yield* draftOf(input, found.template, yield* Effect.orDie(projects.getCached(project)), attachments, work)),
        scheduledFor
      }
      const domain = domainOf(draft.from.email)
      if (!found.verifiedDomains.has(domain)) return yield* new SenderDomainUnverified({ domain })
      if (scheduledFor !== null) yield* requireRoom(project, sizeOf(draft))
      yield* billing.requireRoom(project, "transactional", sizeOf(draft))
      const { emails, copies } = yield* accept(draft, found.contacts, now)
      return { emails, ...(copies.length > 0 && { copies }), timestamp: now }
    })

    return Sending.of({ send })
  })
)

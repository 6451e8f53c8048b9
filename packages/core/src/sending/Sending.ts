/** Mail to one or many, accepted in one transaction (contract 10). */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { ContactData } from "@posthorn/contract/contacts/Contact"
import type { SenderDomainUnverified } from "@posthorn/contract/domains/Domain"
import { type Fault, PayloadTooLarge, ValidationError } from "@posthorn/contract/Errors"
import { EmailId } from "@posthorn/contract/emails/Email"
import { TemplateId, type TemplateNotFound } from "@posthorn/contract/templates/Template"
import type { SendEmail, SentEmails } from "@posthorn/contract/v1/Send"
import { Array, Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Contacts } from "../contacts/Contacts.ts"
import { SenderDomains } from "../domains/SenderDomains.ts"
import { Ledger, type NewContent, type NewEmail } from "../emails/Ledger.ts"
import { Projects } from "../projects/Projects.ts"
import { Settings } from "../Settings.ts"
import { Transaction } from "../Transaction.ts"
import { Templates } from "../templates/Templates.ts"
import { decodeAttachments } from "./AttachmentBytes.ts"
import { type Draft, draftOf } from "./Draft.ts"
import { failpoint } from "./Failpoint.ts"
import { MailNudge } from "./MailNudge.ts"
import { messageBytes } from "./MessageSize.ts"
import { PersonalMail } from "./PersonalMail.ts"

export class Sending extends Context.Service<
  Sending,
  {
    /**
     * Stores one mail for each recipient, all or none, and has them leave at once. Contacts are created or changed on
     * the way, in the same transaction; delivery is told by the ledger.
     */
    readonly send: (
      project: ProjectId,
      input: SendEmail
    ) => Effect.Effect<
      SentEmails["data"],
      PayloadTooLarge | SenderDomainUnverified | TemplateNotFound | ValidationError
    >
  }
>()("@posthorn/core/sending/Sending") {}

const unsubscribedFault = ({ recipients, single }: Draft, index: number): Fault => ({
  field: single ? "to" : `to.${index}`,
  code: "contact_unsubscribed",
  message: "The recipient does not want marketing mail.",
  received: recipients[index]?.email ?? ""
})

export const layer: Layer.Layer<
  Sending,
  never,
  | Contacts
  | Ledger
  | MailNudge
  | PersonalMail
  | Projects
  | SecureRandom.SecureRandom
  | SenderDomains
  | Templates
  | Transaction
> = Layer.effect(
  Sending,
  Effect.gen(function* () {
    const contacts = yield* Contacts
    const domains = yield* SenderDomains
    const ledger = yield* Ledger
    const nudge = yield* MailNudge
    const personal = yield* PersonalMail
    const projects = yield* Projects
    const random = yield* SecureRandom.SecureRandom
    const templates = yield* Templates
    const transaction = yield* Transaction
    const settings = yield* Settings

    /** Each address once, with the data of all its places in `to`. */
    const touch = (project: ProjectId, draft: Draft) => {
      const byAddress = new Map<string, ContactData>()
      for (const { email, name } of draft.recipients) {
        const own = name === undefined || Object.hasOwn(draft.data, "name") ? draft.data : { ...draft.data, name }
        byAddress.set(email, { ...byAddress.get(email), ...own })
      }
      const touches = Array.fromIterable(byAddress).map(([email, data]) => ({
        email,
        data,
        subscribed: draft.subscribed,
        subscribedWhenNew: false
      }))
      if (!Array.isArrayNonEmpty(touches)) return Effect.die("a draft has recipients")
      return contacts.touchAll(project, touches, { reason: "send" })
    }

    const write = Effect.fnUntraced(function* (project: ProjectId, draft: Draft, now: DateTime.Utc) {
      const touched = yield* touch(project, draft)
      const contactOf = new Map(touched.map(({ contact }) => [contact.email, contact]))
      if (draft.type === "MARKETING") {
        const faults = draft.recipients.flatMap(({ email }, index) =>
          contactOf.get(email)?.subscribed ? [] : [unsubscribedFault(draft, index)]
        )
        if (faults.length > 0) return yield* new ValidationError({ errors: faults.slice(0, 50) })
      }
      const contents = new Map<string, NewContent>()
      const emails = yield* Effect.forEach(draft.recipients, ({ email, name }) =>
        Effect.gen(function* () {
          const contact = contactOf.get(email)
          if (contact === undefined) return yield* Effect.die("every recipient has a contact")
          const id = EmailId.make(yield* random.uuidV7())
          const mail = yield* personal.render(draft, contact, id)
          const texts = `${mail.html}\0${mail.text}`
          const content = contents.get(texts) ?? { id, html: mail.html, text: mail.text }
          contents.set(texts, content)
          const size = messageBytes({ ...mail, headers: draft.headers, attachments: draft.attachments })
          if (size > settings.maxMessageBytes)
            return yield* new PayloadTooLarge({ limitBytes: settings.maxMessageBytes })
          return {
            id,
            contactId: contact.id,
            contentId: content.id,
            to: email,
            toName: name ?? null,
            from: draft.from.email,
            fromName: draft.from.name,
            replyTo: draft.replyTo,
            subject: mail.subject,
            type: draft.type,
            sourceType: "TRANSACTIONAL",
            templateId: draft.templateId,
            tracking: draft.tracking,
            headers: draft.headers,
            attachments: draft.attachments.map(({ content: _, ...info }) => info)
          } satisfies NewEmail
        })
      )
      if (!Array.isArrayNonEmpty(emails)) return yield* Effect.die("a draft has recipients")
      const suppressed = yield* ledger.accept(project, emails, [...contents.values()], draft.attachments, now)
      yield* failpoint("before_accept_commit")
      yield* transaction.afterCommit(nudge.wake)
      // A request with an Idempotency-Key is a transaction around this one: only its commit is the acceptance.
      yield* transaction.afterCommit(failpoint("after_accept_commit"))
      return Array.map(emails, ({ id, contactId, to }) => ({
        contact: { id: contactId, email: to },
        email: id,
        status: suppressed.has(id) ? ("SUPPRESSED" as const) : ("PENDING" as const)
      }))
    })

    /** The first mail has the content that bears its own id. */
    const accept = Effect.fn("Sending.accept")((project: ProjectId, draft: Draft, now: DateTime.Utc) =>
      transaction.runOrFind(write(project, draft, now), ([first]) => ledger.hasContent(project, first.email))
    )

    const send = Effect.fn("Sending.send")(function* (project: ProjectId, input: SendEmail) {
      const now = yield* DateTime.now
      const attachments = yield* decodeAttachments(input.attachments ?? [], settings).pipe(
        Effect.provideService(SecureRandom.SecureRandom, random)
      )
      const templateId = input.template ?? input.templateId ?? undefined
      const template = templateId === undefined ? undefined : yield* templates.get(project, TemplateId.make(templateId))
      const draft = yield* draftOf(input, template, yield* Effect.orDie(projects.recall(project)), attachments)
      yield* domains.requireVerified(project, draft.from.email)
      const emails = yield* accept(project, draft, now)
      return { emails, timestamp: now }
    })

    return Sending.of({ send })
  })
)

/** Renders the mails of a draft for their recipients. */
import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import { type Fault, PayloadTooLarge, ValidationError } from "@posthorn/contract/platform/Errors"
import { Array, Effect } from "effect"
import type { MessageText } from "../../content/rendering/MessageText.ts"
import { textsFor } from "../../content/templates/Translations.ts"
import type { NewContent, NewEmail, NewMail, ShownAddress } from "../ledger/Ledger.ts"
import type { CopyRecipient, Draft, Recipient } from "./Draft.ts"
import { type MailRenderer, missingFaults, type Reader } from "./MailRenderer.ts"
import { messageBytes } from "./MessageSize.ts"
import { isTest, ofKey } from "./TestMode.ts"

const shown = (addressed: ReadonlyArray<{ readonly recipient: Recipient }>): ReadonlyArray<ShownAddress> =>
  addressed.map(({ recipient: { email, name } }) => ({ email, name: name ?? null }))

/** The contact of a recipient, as it is once the mail is accepted. */
export interface ContactReader extends Reader {
  readonly id: ContactId
}

/** The id of a new mail, and its recipient. */
export interface Addressed {
  readonly id: EmailId
  readonly recipient: Recipient
  readonly reader: ContactReader
}

/** A copy of the first mail, with the id of its own mail. */
export interface Copy {
  readonly id: EmailId
  readonly recipient: CopyRecipient
}

/** Entries of `errors[]`. */
const maxFaults = 50

/**
 * Mails with the same text share one content row of `contents`. Copies have the text of the first mail without its links to pages of
 * the contact, because they would act for that contact.
 */
export const draftMail = Effect.fnUntraced(function* (
  renderer: MailRenderer["Service"],
  draft: Draft,
  addressed: Array.NonEmptyReadonlyArray<Addressed>,
  copies: ReadonlyArray<Copy>,
  contents: Map<string, NewContent>,
  maxMessageBytes: number
): Effect.fn.Return<Omit<NewMail, "contents">, PayloadTooLarge | ValidationError> {
  const contentOf = (id: EmailId, { html, text }: Pick<MessageText, "html" | "text">) => {
    const texts = `${html ?? ""}\0${text}`
    const content = contents.get(texts) ?? { id, html, text }
    contents.set(texts, content)
    return content
  }
  const inertLinks = isTest(draft)
  const shared = {
    from: draft.from.email,
    fromName: draft.from.name,
    replyTo: draft.replyTo,
    type: draft.type,
    sourceType: "TRANSACTIONAL",
    templateId: draft.templateId,
    templateVersion: draft.templateVersion,
    tracking: draft.tracking,
    headers: draft.headers,
    tags: draft.tags,
    scheduledFor: draft.scheduledFor,
    attachments: draft.attachments.map(({ content: _, ...info }) => info)
  } as const
  const sourceFor = ({ data }: ContactReader) => textsFor(draft, [draft.locale, data["locale"]], draft.project.language)
  const [first] = addressed
  const faults: Array<Fault> = []
  const group = { id: first.id, recipientType: "TO" } as const
  const emails = yield* Effect.forEach(
    addressed,
    Effect.fnUntraced(function* ({ id, reader, recipient: { email, name } }) {
      const { language, ...source } = sourceFor(reader)
      const mail = yield* renderer.render({ ...draft, ...source, inertLinks }, reader, id, {
        listMissing: draft.strict
      })
      if (faults.length < maxFaults) faults.push(...missingFaults(mail.missing, email))
      const size = messageBytes({ ...mail, headers: draft.headers, attachments: draft.attachments })
      if (size > maxMessageBytes) return yield* new PayloadTooLarge({ limitBytes: maxMessageBytes })
      return {
        ...shared,
        id,
        contactId: reader.id,
        contentId: contentOf(id, mail).id,
        to: email,
        toName: name ?? null,
        subject: mail.subject,
        locale: language,
        ...(copies.length > 0 && { group })
      } satisfies NewEmail
    })
  )
  if (faults.length > 0) return yield* new ValidationError({ errors: faults.slice(0, maxFaults) })
  const attachments = draft.attachments
  if (!Array.isReadonlyArrayNonEmpty(copies)) return ofKey({ emails, attachments }, draft.apiKey)
  const { language, ...source } = sourceFor(first.reader)
  const text = yield* renderer.render({ ...draft, ...source, withoutLinks: true, inertLinks }, first.reader, first.id)
  const content = contentOf(copies[0].id, text)
  const copied = copies.map(
    ({ id, recipient: { email, name, type } }): NewEmail => ({
      ...shared,
      id,
      contactId: null,
      contentId: content.id,
      to: email,
      toName: name ?? null,
      subject: text.subject,
      locale: language,
      group: { id: first.id, recipientType: type }
    })
  )
  const visible = copies.filter(({ recipient }) => recipient.type === "CC")
  const mail = {
    emails: Array.appendAll(emails, copied),
    attachments,
    groups: [{ id: first.id, to: shown(addressed), cc: shown(visible) }]
  }
  return ofKey(mail, draft.apiKey)
})

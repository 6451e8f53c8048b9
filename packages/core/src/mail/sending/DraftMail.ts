/** Renders the mails of a draft for their recipients. */
import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import { PayloadTooLarge, type ValidationError } from "@posthorn/contract/platform/Errors"
import { type Array, Effect } from "effect"
import type { NewContent, NewEmail, NewMail } from "../ledger/Ledger.ts"
import type { Draft, Recipient } from "./Draft.ts"
import type { MailRenderer, Reader } from "./MailRenderer.ts"
import { messageBytes } from "./MessageSize.ts"

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

/** Mails with the same text share one content row. */
export const draftMail = Effect.fnUntraced(function* (
  renderer: MailRenderer["Service"],
  draft: Draft,
  addressed: Array.NonEmptyReadonlyArray<Addressed>,
  maxMessageBytes: number
): Effect.fn.Return<NewMail, PayloadTooLarge | ValidationError> {
  const contents = new Map<string, NewContent>()
  const emails = yield* Effect.forEach(
    addressed,
    Effect.fnUntraced(function* ({ id, reader, recipient: { email, name } }) {
      const mail = yield* renderer.render(draft, reader, id)
      const texts = `${mail.html ?? ""}\0${mail.text}`
      const content = contents.get(texts) ?? { id, html: mail.html, text: mail.text }
      contents.set(texts, content)
      const size = messageBytes({ ...mail, headers: draft.headers, attachments: draft.attachments })
      if (size > maxMessageBytes) return yield* new PayloadTooLarge({ limitBytes: maxMessageBytes })
      return {
        id,
        contactId: reader.id,
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
        tags: draft.tags,
        scheduledFor: draft.scheduledFor,
        attachments: draft.attachments.map(({ content: _, ...info }) => info)
      } satisfies NewEmail
    })
  )
  return { emails, contents: [...contents.values()], attachments: draft.attachments }
})

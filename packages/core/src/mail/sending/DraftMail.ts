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

/** A mail without contact, with its id. */
export interface Copy {
  readonly id: EmailId
  readonly recipient: CopyRecipient
}

/** Entries of `errors[]`. */
const maxFaults = 50

/**
 * Mails with the same text share one content row of `contents`. Copies have the text of the first mail without its links
 * to pages of the contact, because they would act for that contact. Without a contact, it is rendered without contact data.
 */
export const draftMail = Effect.fnUntraced(function* (
  renderer: MailRenderer["Service"],
  draft: Draft,
  addressed: ReadonlyArray<Addressed>,
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
    ...(draft.topic !== null && { topicId: draft.topic.id }),
    tracking: draft.tracking,
    headers: draft.headers,
    tags: draft.tags,
    scheduledFor: draft.scheduledFor,
    ...(draft.messageId != null && { messageId: draft.messageId }),
    attachments: draft.attachments.map(({ content: _, ...info }) => info)
  } as const
  const sourceFor = ({ data }: Pick<Reader, "data">) =>
    textsFor(draft, [draft.locale, data["locale"]], draft.project.language)
  const [first] = addressed
  const faults: Array<Fault> = []
  const head = first?.id ?? copies[0]?.id
  if (head === undefined) return yield* Effect.die("a draft has recipients")
  const group = { id: head, recipientType: "TO" } as const
  const isGroup = copies.length > 0 || draft.shown != null
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
        ...(isGroup && { group })
      } satisfies NewEmail
    })
  )
  if (faults.length > 0) return yield* new ValidationError({ errors: faults.slice(0, maxFaults) })
  const nobody = { id: null, projectId: draft.project.id, email: "", subscribed: false, data: draft.data }
  const copied = yield* Array.match(copies, {
    onEmpty: () => Effect.succeed([]),
    onNonEmpty: Effect.fnUntraced(function* (copies) {
      const reader = first?.reader ?? nobody
      const { language, ...source } = sourceFor(reader)
      const text = yield* renderer.render({ ...draft, ...source, withoutLinks: true, inertLinks }, reader, head)
      const size = messageBytes({ ...text, headers: draft.headers, attachments: draft.attachments })
      if (size > maxMessageBytes) return yield* new PayloadTooLarge({ limitBytes: maxMessageBytes })
      const content = contentOf(copies[0].id, text)
      return copies.map(
        ({ id, recipient: { email, name, type } }): NewEmail => ({
          ...shared,
          id,
          contactId: null,
          contentId: content.id,
          to: email,
          toName: name ?? null,
          subject: text.subject,
          locale: language,
          group: { id: head, recipientType: type }
        })
      )
    })
  })
  const visible = copies.filter(({ recipient }) => recipient.type === "CC")
  const headers = draft.shown ?? { to: shown(addressed), cc: shown(visible) }
  const mails = [...emails, ...copied]
  if (!Array.isArrayNonEmpty(mails)) return yield* Effect.die("a draft has recipients")
  const mail = {
    emails: mails,
    attachments: draft.attachments,
    ...(isGroup && { groups: [{ id: head, ...headers }] })
  }
  return ofKey(mail, draft.apiKey)
})

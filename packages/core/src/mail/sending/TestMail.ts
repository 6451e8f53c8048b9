/** Sends a test of a campaign or of a template to one address. */

import type { ContactData } from "@posthorn/contract/audience/contacts/Contact"
import type { EmailType } from "@posthorn/contract/content/templates/Template"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { Forbidden, type ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict, type SenderDomainUnverified, type ValidationError } from "@posthorn/contract/platform/Errors"
import { mailboxOf } from "@posthorn/contract/platform/Mailbox"
import { Array, DateTime, Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Projects } from "../../accounts/projects/Projects.ts"
import { contactColumns, contactRows } from "../../audience/contacts/ContactRow.ts"
import { isOneShot, reservedKeys } from "../../audience/contacts/DataChange.ts"
import { SuppressedAddress } from "../../audience/suppression/SuppressedAddress.ts"
import * as TopicChoice from "../../audience/topics/TopicChoice.ts"
import { Partials } from "../../content/partials/Partials.ts"
import { SenderDomains } from "../../content/templates/SenderDomains.ts"
import { type Multilingual, textsFor } from "../../content/templates/Translations.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import { Ledger, type NewEmail } from "../ledger/Ledger.ts"
import { MailRenderer } from "./MailRenderer.ts"

/** What is tried: the texts of a campaign or of a version of a template. */
export interface TriedMail extends Multilingual {
  readonly type: EmailType
  readonly topicId: string | null
  readonly layout: string | null
  readonly from: string
  readonly fromName: string | null
  readonly replyTo: string | null
  /** Where the record of the mail says that it comes from. */
  readonly origin: Pick<NewEmail, "sourceType" | "templateId" | "templateVersion" | "campaignId" | "variant">
}

/** Who gets the test. `data` and `locale` take precedence over those of the contact. */
export interface TrialRecipient {
  readonly email: string
  readonly data?: ContactData | null | undefined
  readonly locale?: string | null | undefined
}

const prefix = "[TEST] "
const maxSubject = 998

const withPrefix = (subject: string): string => [...(prefix + subject)].slice(0, maxSubject).join("").trimEnd()

/** All values as one-shot values, because a test stores nothing about the contact. */
const oneOff = (data: TrialRecipient["data"]): Schema.JsonObject =>
  Object.fromEntries(
    Object.entries(data ?? {})
      .filter(([key]) => !reservedKeys.has(key))
      .map(([key, value]) => [key, { value: isOneShot(value) ? value.value : value, persistent: false }])
  )

const standings = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ isMember: Schema.Boolean, isSuppressed: Schema.Boolean })])
)

/**
 * Sends to contacts and members of the project only. Links of the mail change nothing, it is not tracked, and no count
 * includes it. Without a contact, a missing variable prints its name in brackets.
 */
export const make = Effect.gen(function* () {
  const ledger = yield* Ledger
  const { mail: wakeup } = yield* Wakeups
  const renderer = yield* MailRenderer
  const partials = yield* Partials
  const projects = yield* Projects
  const random = yield* SecureRandom.SecureRandom
  const senders = yield* SenderDomains
  const sql = yield* SqlClient.SqlClient
  const suppressed = yield* SuppressedAddress
  const topics = yield* TopicChoice.make
  const transaction = yield* Transaction

  const contactAt = (project: ProjectId, email: string) =>
    sql`select ${sql.literal(contactColumns)} from contacts where project_id = ${project} and email = ${email}`.pipe(
      Effect.flatMap(contactRows),
      Effect.map(Array.head),
      Effect.orDie
    )

  const standingOf = (project: ProjectId, email: string) =>
    sql`
      select exists (
               select from members join users on users.id = members.user_id
               where members.project_id = given.project and users.email = given.email
             ) as "isMember",
             suppression.reason is not null as "isSuppressed"
      from (values (${project}::uuid, ${email}::text)) as given (project, email)
      ${suppressed.join(sql`given.project`, sql`given.email`)}`.pipe(
      Effect.flatMap(standings),
      Effect.map(([standing]) => standing),
      Effect.orDie
    )

  /** The contact of the address, if there is one. Fails if the address may not get this test. */
  const admitted = Effect.fnUntraced(function* (project: ProjectId, email: string, from: string) {
    const contact = Option.getOrUndefined(yield* contactAt(project, email))
    const { isMember, isSuppressed } = yield* standingOf(project, email)
    if (contact === undefined && !isMember) return yield* new Forbidden({ reason: "recipient" })
    yield* senders.requireVerified(project, from)
    if (isSuppressed) return yield* new Conflict({ reason: "suppressed" })
    return contact
  })

  /** Renders and queues the test. Joins the caller's transaction. */
  const send = Effect.fn("TestMail.send")(function* (
    projectId: ProjectId,
    mail: TriedMail,
    recipient: TrialRecipient
  ): Effect.fn.Return<EmailId, Conflict | Forbidden | SenderDomainUnverified | ValidationError> {
    const { email, name } = mailboxOf(recipient.email)
    const { type, from, replyTo } = mail
    const contact = yield* admitted(projectId, email, from)
    const project = yield* Effect.orDie(projects.getCached(projectId))
    const id = EmailId.make(yield* random.uuidV7())
    const locale = recipient.locale ?? undefined
    const wanted = [locale, recipient.data?.["locale"], contact?.data["locale"]]
    const { language, ...texts } = textsFor(mail, wanted, project.language)
    const around = yield* partials.around(projectId, [texts], mail.layout)
    const topic = mail.topicId === null ? null : Option.getOrNull(yield* topics.find(projectId, mail.topicId))
    const text = yield* renderer.render(
      { ...texts, type, topic, project, data: oneOff(recipient.data), around, locale },
      contact ?? { id: null, projectId, email, subscribed: true, data: {} },
      id,
      { nameMissing: contact === undefined }
    )
    yield* ledger.accept(
      projectId,
      [
        {
          ...mail.origin,
          id,
          contactId: contact?.id ?? null,
          contentId: id,
          to: email,
          toName: name ?? null,
          from,
          fromName: mail.fromName ?? project.name,
          replyTo,
          subject: withPrefix(text.subject),
          type,
          topicId: topic?.id ?? null,
          locale: language,
          test: true,
          tracking: false,
          headers: {},
          attachments: []
        }
      ],
      [{ id, html: text.html, text: text.text }],
      [],
      yield* DateTime.now
    )
    yield* transaction.afterCommit(wakeup.wake)
    return id
  })

  return { send }
})

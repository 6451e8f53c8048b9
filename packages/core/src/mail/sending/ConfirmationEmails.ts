/** Stores the mails that ask contacts to confirm: as any transactional mail, with texts of the service or of a template. */

import type { EmailType } from "@posthorn/contract/content/templates/Template"
import { TemplateId } from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Billing } from "../../accounts/billing/Billing.ts"
import { Projects } from "../../accounts/projects/Projects.ts"
import { type Confirmation, ConfirmationMail } from "../../audience/optins/ConfirmationMail.ts"
import { optInWords } from "../../audience/optins/OptInWords.ts"
import { namesIn } from "../../audience/optins/TopicNames.ts"
import { Partials } from "../../content/partials/Partials.ts"
import { confirmationFaults } from "../../content/templates/ConfirmationTemplate.ts"
import { Templates } from "../../content/templates/Templates.ts"
import { type Multilingual, textsFor } from "../../content/templates/Translations.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import { escapeHtml } from "../../platform/web/EscapeHtml.ts"
import { languageOf } from "../../platform/web/Languages.ts"
import * as EmailSql from "../ledger/EmailSql.ts"
import { Ledger } from "../ledger/Ledger.ts"
import { MailRenderer } from "./MailRenderer.ts"

/** The texts of a template, or of the service. */
interface Texts extends Multilingual {
  readonly type: EmailType
  readonly layout: string | null
  readonly templateId: string | null
  readonly templateVersion: number | null
}

const link = "{{confirmUrl}}"

/** The texts of the service as a template, in the language of the recipient. */
const serviceTexts = (locale: unknown, language: string, project: string, topics: string): Texts => {
  const chosen = languageOf(locale, language)
  const { mail, topics: label } = optInWords[chosen]
  // Names may have braces, which would be placeholders.
  const shown = (text: string) => text.replaceAll("{{", "{ {")
  const line = topics === "" ? "" : `${label}: ${shown(topics)}`
  const question = shown(mail.question(project))
  return {
    subject: shown(mail.subject(project)).slice(0, 900),
    body: `<div lang="${chosen}" style="font:16px/24px sans-serif;max-width:560px;margin:0 auto;padding:24px">
<p>${escapeHtml(question)}</p>
${line && `<p>${escapeHtml(line)}</p>\n`}<p style="margin:24px 0"><a href="${link}" style="display:inline-block;padding:12px 20px;background:#1f2937;color:#ffffff;text-decoration:none;border-radius:6px">${escapeHtml(mail.button)}</a></p>
<p style="color:#666666;font-size:14px">${escapeHtml(mail.ignore)}</p>
</div>`,
    text: `${question}\n${line && `${line}\n`}\n${mail.button}: ${link}\n\n${mail.ignore}\n`,
    language: chosen,
    translations: {},
    type: "TRANSACTIONAL",
    layout: null,
    templateId: null,
    templateVersion: null
  }
}

const tooLate = {
  code: "expired",
  message: "More confirmation mails were asked for than the project may send in a day."
} as const

export const layer: Layer.Layer<
  ConfirmationMail,
  never,
  Billing | Ledger | MailRenderer | Partials | Projects | SqlClient.SqlClient | Templates | Transaction | Wakeups
> = Layer.effect(
  ConfirmationMail,
  Effect.gen(function* () {
    const billing = yield* Billing
    const ledger = yield* Ledger
    const { cancel } = yield* EmailSql.make
    const partials = yield* Partials
    const projects = yield* Projects
    const renderer = yield* MailRenderer
    const sql = yield* SqlClient.SqlClient
    const templates = yield* Templates
    const transaction = yield* Transaction
    const { mail: wakeup } = yield* Wakeups

    /** The template of the mail. None if it names none, or if it has been deleted. */
    const templateOf = Effect.fnUntraced(function* (project: ProjectId, id: string | null) {
      if (id === null) return undefined
      const template = Option.getOrUndefined(yield* Effect.option(templates.get(project, TemplateId.make(id))))
      return template && { ...template, templateId: template.id, templateVersion: template.version }
    })

    const queue = Effect.fn("ConfirmationMail.queue")(function* (
      projectId: ProjectId,
      { id, contact, confirmUrl, topics, settings, templateId, isBulk, due }: Confirmation,
      now: DateTime.Utc
    ) {
      const { doubleOptIn, pages } = settings
      const project = yield* Effect.orDie(projects.getCached(projectId))
      const name = pages.name ?? project.name
      const locale = contact.data["locale"]
      const topicNames = namesIn(topics, typeof locale === "string" ? locale : null, project.language)
      const texts: Texts =
        (yield* templateOf(projectId, templateId ?? doubleOptIn.templateId)) ??
        serviceTexts(locale, project.language, name, topicNames)
      const { language, ...source } = textsFor(texts, [locale], project.language)
      const around = yield* partials.around(projectId, [source], texts.layout)
      yield* billing.charge(projectId, "transactional", 1)
      const rendered = yield* Effect.result(
        renderer.render(
          { ...source, type: "TRANSACTIONAL", project, data: {}, around, own: { confirmUrl, topicNames } },
          { ...contact, projectId },
          id
        )
      )
      const failed =
        due === "never"
          ? tooLate
          : rendered._tag === "Failure"
            ? ({ code: "render_failed", message: rendered.failure.errors[0]?.message ?? "" } as const)
            : undefined
      const text = rendered._tag === "Success" ? rendered.success : { subject: source.subject, html: null, text: "" }
      const stored = yield* ledger.accept(
        projectId,
        [
          {
            id,
            contactId: contact.id,
            contentId: id,
            to: contact.email,
            toName: null,
            from: doubleOptIn.from ?? (yield* Effect.die("confirmation mail needs a sender")),
            fromName: doubleOptIn.fromName ?? name,
            replyTo: doubleOptIn.replyTo,
            subject: text.subject,
            type: "TRANSACTIONAL",
            sourceType: "TRANSACTIONAL",
            templateId: texts.templateId,
            templateVersion: texts.templateVersion,
            locale: language,
            tracking: false,
            headers: {},
            attachments: [],
            isBulk,
            ...(failed && { failed })
          }
        ],
        [{ id, html: text.html, text: text.text }],
        [],
        now
      )
      const isSuppressed = stored.has(id)
      if (isSuppressed || failed !== undefined) yield* billing.giveBack(projectId, "transactional", 1)
      if (due !== "never" && DateTime.isGreaterThan(due, now)) {
        yield* Effect.orDie(sql`
          update emails set due_at = ${DateTime.toDate(due)}
          where project_id = ${projectId} and id = ${id} and status = 'PENDING'`)
      }
      yield* transaction.afterCommit(wakeup.wake)
      return isSuppressed ? "suppressed" : "queued"
    })

    const faultsOf = Effect.fn("ConfirmationMail.faultsOf")(function* (project: ProjectId, id: string) {
      const template = yield* Effect.option(templates.get(project, TemplateId.make(id)))
      if (Option.isNone(template)) return [`No template ${id} in this project.`]
      return confirmationFaults(template.value).map(({ message }) => message)
    })

    return ConfirmationMail.of({
      queue,
      faultsOf,
      cancel: (project, emails, now) => Effect.forEach(emails, (id) => cancel(project, id, now), { discard: true })
    })
  })
)

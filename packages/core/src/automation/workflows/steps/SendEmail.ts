/** Stores one mail for each visit, in the transaction that ends it; delivery is no business of the workflow. */

import type { SuppressionReason } from "@posthorn/contract/audience/suppressions/Suppression"
import { SendEmailConfig } from "@posthorn/contract/automation/workflows/StepConfig"
import { TemplateId } from "@posthorn/contract/content/templates/Template"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Mailbox, mailboxOf } from "@posthorn/contract/platform/Mailbox"
import { Array, Data, type DateTime, Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Billing } from "../../../accounts/billing/Billing.ts"
import type { Project } from "../../../accounts/projects/Project.ts"
import { Projects } from "../../../accounts/projects/Projects.ts"
import { SenderDomains } from "../../../content/templates/SenderDomains.ts"
import { Templates } from "../../../content/templates/Templates.ts"
import { TextWork } from "../../../content/text/TextWork.ts"
import { EventLog } from "../../../events/EventLog.ts"
import { asksConsent } from "../../../mail/Eligibility.ts"
import { Ledger, type NewContent, type NewEmail } from "../../../mail/ledger/Ledger.ts"
import { type Draft, draftOf } from "../../../mail/sending/Draft.ts"
import { failedEvent } from "../../../mail/sending/MailEvents.ts"
import { MailRenderer } from "../../../mail/sending/MailRenderer.ts"
import { messageBytes } from "../../../mail/sending/MessageSize.ts"
import { Settings } from "../../../platform/Settings.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import { Wakeups } from "../../../platform/Wakeups.ts"
import { renderText } from "./Rendered.ts"
import type { Outcome, RunStep, StepContext } from "./StepType.ts"

export type Needs =
  | Billing
  | EventLog
  | Ledger
  | Wakeups
  | MailRenderer
  | Projects
  | SecureRandom.SecureRandom
  | SenderDomains
  | Templates
  | Transaction

const readConfig = Schema.decodeUnknownSync(SendEmailConfig)
const readAddress = Schema.decodeUnknownOption(Mailbox)

/** No mail was stored. */
class Refused extends Data.TaggedError("Refused")<{ readonly outcome: Outcome }> {}

const failed = (code: string, message: string): Outcome => ({ _tag: "Failed", code, message })
const refuse = (code: string, message: string) => new Refused({ outcome: failed(code, message) })

const unsubscribed: Outcome = {
  _tag: "Done",
  skipped: true,
  output: { skipped: true, reason: "contact_unsubscribed" }
}

/** A mail to store, and the text that goes with it unless there is none. */
interface Letter {
  readonly email: NewEmail
  readonly content: NewContent | undefined
}

const outcomeOf = ({ id, failed: fault }: NewEmail, suppressed: ReadonlyMap<EmailId, SuppressionReason>): Outcome => {
  if (fault !== undefined) return { _tag: "Failed", ...fault, output: { emailId: id } }
  return suppressed.has(id)
    ? { _tag: "Done", skipped: true, output: { skipped: true, reason: "suppressed", emailId: id } }
    : { _tag: "Done", output: { emailId: id } }
}

export const make: Effect.Effect<RunStep, never, Needs> = Effect.gen(function* () {
  const billing = yield* Billing
  const domains = yield* SenderDomains
  const events = yield* EventLog
  const ledger = yield* Ledger
  const { mail: wakeup } = yield* Wakeups
  const personal = yield* MailRenderer
  const projects = yield* Projects
  const random = yield* SecureRandom.SecureRandom
  const settings = yield* Settings
  const work = yield* TextWork
  const templates = yield* Templates
  const transaction = yield* Transaction

  /** The template as it is now, and whether its sender may send: each asked once for all who stand at it. */
  const find = Effect.fnUntraced(function* (project: ProjectId, id: string | null) {
    if (id === null) return yield* refuse("template_missing", "The step has no template.")
    const template = yield* templates
      .get(project, TemplateId.make(id))
      .pipe(Effect.catchTag("TEMPLATE_NOT_FOUND", ({ message }) => refuse("template_missing", message)))
    const maySend = yield* Effect.cached(
      domains
        .requireVerified(project, template.from)
        .pipe(Effect.catch(({ message }) => refuse("sender_domain_unverified", message)))
    )
    return { template, maySend }
  })
  type Source = Effect.Success<ReturnType<typeof find>>

  /** Where it goes: to the contact, or to a rendered address. */
  const addressOf = Effect.fnUntraced(function* (visitor: StepContext, project: Project) {
    const { recipient } = readConfig(visitor.step.config)
    if (recipient?.type !== "CUSTOM") return { email: visitor.contact.email }
    const given = yield* renderText(work, recipient.customEmail ?? "", visitor, project, "plain").pipe(
      Effect.catch(({ message }) => refuse("render_failed", message))
    )
    const address = Option.getOrUndefined(readAddress(given.trim()))
    if (address !== undefined) return mailboxOf(address)
    return yield* refuse("invalid_recipient", "The custom recipient is not an email address.")
  })

  const text = (draft: Draft, visitor: StepContext, id: EmailId, isCustom: boolean) =>
    personal
      .render(
        { ...draft, event: visitor.context, withoutLinks: isCustom },
        { ...visitor.contact, projectId: visitor.execution.projectId },
        id
      )
      .pipe(
        Effect.filterOrFail(
          (mail) => messageBytes({ ...mail, headers: {}, attachments: [] }) <= settings.maxMessageBytes,
          () => ({ message: `The mail is larger than ${settings.maxMessageBytes} bytes.` })
        ),
        Effect.result
      )

  const write = Effect.fnUntraced(function* (visitor: StepContext, project: Project, { template, maySend }: Source) {
    const { execution, contact, visitId } = visitor
    if (!contact.subscribed && asksConsent(template.type, "WORKFLOW"))
      return yield* new Refused({ outcome: unsubscribed })
    yield* maySend
    const to = yield* addressOf(visitor, project)
    const draft = yield* draftOf({ to: to.email }, template, project, [], work).pipe(
      Effect.catch(({ message }) => refuse("render_failed", message))
    )
    const id = EmailId.make(yield* random.uuidV7())
    const isCustom = readConfig(visitor.step.config).recipient?.type === "CUSTOM"
    const mail = yield* text(draft, visitor, id, isCustom)
    const email: NewEmail = {
      id,
      contactId: contact.id,
      contentId: id,
      to: to.email,
      toName: to.name ?? null,
      from: draft.from.email,
      fromName: draft.from.name,
      replyTo: draft.replyTo,
      subject: mail._tag === "Success" ? mail.success.subject : draft.subject,
      type: draft.type,
      sourceType: "WORKFLOW",
      templateId: template.id,
      workflow: { id: execution.workflowId, executionId: execution.id, stepExecutionId: visitId },
      tracking: draft.tracking,
      headers: {},
      attachments: [],
      ...(mail._tag === "Failure" && { failed: { code: "render_failed", message: mail.failure.message } as const })
    }
    const content = mail._tag === "Success" ? { id, html: mail.success.html, text: mail.success.text } : undefined
    return { email, content } satisfies Letter
  })

  const tellFailures = (project: ProjectId, emails: ReadonlyArray<NewEmail>, now: DateTime.Utc) =>
    events.record(
      project,
      emails.flatMap(({ failed: fault, workflow, ...email }) =>
        fault === undefined
          ? []
          : [
              failedEvent(
                {
                  ...email,
                  campaignId: null,
                  workflowId: workflow?.id ?? null,
                  workflowExecutionId: workflow?.executionId ?? null
                },
                now,
                fault,
                0
              )
            ]
      ),
      now
    )

  /** Counts a mail against the cap; one that was not written, or may not be sent, counts nothing. */
  const charge = (project: ProjectId, { email }: Letter): Effect.Effect<void, Refused> =>
    email.failed === undefined
      ? transaction
          .attempt(billing.charge(project, "workflows", 1))
          .pipe(Effect.catch(({ message }) => refuse("billing_limit", message)))
      : Effect.void

  const store = Effect.fnUntraced(function* (
    project: ProjectId,
    letters: Array.NonEmptyReadonlyArray<Letter>,
    now: DateTime.Utc
  ) {
    const emails = Array.map(letters, ({ email }) => email)
    const contents = letters.flatMap(({ content }) => content ?? [])
    const suppressed = yield* ledger.accept(project, emails, contents, [], now)
    yield* billing.giveBack(project, "workflows", suppressed.size)
    yield* tellFailures(project, emails, now)
    yield* transaction.afterCommit(wakeup.wake)
    return suppressed
  })

  /** All of one project. */
  const send = Effect.fnUntraced(function* (at: ReadonlyArray<StepContext>, now: DateTime.Utc) {
    const outcomes = new Map<StepContext, Outcome>()
    const letters: Array<readonly [StepContext, Letter]> = []
    const id = at[0]?.execution.projectId
    if (id === undefined) return outcomes
    const project = yield* Effect.orDie(projects.getCached(id))
    const isCapped = yield* billing.isCapped(id, "workflows")
    const known = new Map<string | null, Effect.Effect<Source, Refused>>()
    for (const visitor of at) {
      const { templateId } = visitor.step
      const template = known.get(templateId) ?? (yield* Effect.cached(find(id, templateId)))
      known.set(templateId, template)
      const letter = yield* Effect.flatMap(template, (found) => write(visitor, project, found)).pipe(
        Effect.tap((written) => (isCapped ? charge(id, written) : Effect.void)),
        Effect.result
      )
      if (letter._tag === "Failure") outcomes.set(visitor, letter.failure.outcome)
      else letters.push([visitor, letter.success])
    }
    const written = letters.map(([, letter]) => letter)
    if (!Array.isArrayNonEmpty(written)) return outcomes
    const suppressed = yield* store(id, written, now)
    for (const [visitor, { email }] of letters) outcomes.set(visitor, outcomeOf(email, suppressed))
    return outcomes
  })

  return Effect.fnUntraced(function* (at: ReadonlyArray<StepContext>, now: DateTime.Utc) {
    const outcomes = new Map<StepContext, Outcome>()
    for (const group of Map.groupBy(at, ({ execution }) => execution.projectId).values()) {
      for (const [visitor, outcome] of yield* send(group, now)) outcomes.set(visitor, outcome)
    }
    return at.map((visitor) => outcomes.get(visitor) ?? failed("render_failed", "The mail was not written."))
  })
})

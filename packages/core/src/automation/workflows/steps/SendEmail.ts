/** Stores one mail for each visit, in the transaction that ends it. The loops of `mail/sending` deliver it. */

import type { SuppressionReason, TakingRefusal } from "@posthorn/contract/audience/suppressions/Suppression"
import { SendEmailConfig } from "@posthorn/contract/automation/workflows/StepConfig"
import { type EmailType, type Template, TemplateId } from "@posthorn/contract/content/templates/Template"
import { EmailId, type HoldReason } from "@posthorn/contract/mail/emails/Email"
import { mailPolicy } from "@posthorn/contract/mail/sending/MailPolicy"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { Mailbox, mailboxOf } from "@posthorn/contract/platform/Mailbox"
import { Array, Data, DateTime, Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Billing } from "../../../accounts/billing/Billing.ts"
import type { StoredProject } from "../../../accounts/projects/Project.ts"
import { Projects } from "../../../accounts/projects/Projects.ts"
import { takingRefusal } from "../../../audience/contacts/MailConsent.ts"
import * as TopicChoice from "../../../audience/topics/TopicChoice.ts"
import { topicFault } from "../../../audience/topics/TopicOfMail.ts"
import { Partials } from "../../../content/partials/Partials.ts"
import { SenderDomains } from "../../../content/templates/SenderDomains.ts"
import { Templates } from "../../../content/templates/Templates.ts"
import { type LocalTexts, textsFor } from "../../../content/templates/Translations.ts"
import { TextWork } from "../../../content/text/TextWork.ts"
import { EventLog } from "../../../events/EventLog.ts"
import { asksConsent, countsForCaps, isUnderPolicy } from "../../../mail/Eligibility.ts"
import { Ledger, type NewContent, type NewEmail } from "../../../mail/ledger/Ledger.ts"
import { placeRequest, waitsUntil } from "../../../mail/policy/FrequencyCaps.ts"
import { quietUntil } from "../../../mail/policy/QuietHours.ts"
import { SendingPolicy } from "../../../mail/policy/SendingPolicy.ts"
import { type Draft, draftOf } from "../../../mail/sending/Draft.ts"
import { failedEvent } from "../../../mail/sending/MailEvents.ts"
import { MailRenderer, missingFaults } from "../../../mail/sending/MailRenderer.ts"
import { messageBytes } from "../../../mail/sending/MessageSize.ts"
import { Settings } from "../../../platform/Settings.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import { Wakeups } from "../../../platform/Wakeups.ts"
import { renderText } from "./Rendered.ts"
import {
  type RunStep,
  restUntil,
  type StepChecks,
  type StepContent,
  type StepDefinition,
  type StepInput,
  type StepOutcome
} from "./StepDefinition.ts"

type Needs =
  | Billing
  | EventLog
  | Ledger
  | Wakeups
  | MailRenderer
  | Partials
  | Projects
  | SecureRandom.SecureRandom
  | Effect.Services<typeof TopicChoice.make>
  | SenderDomains
  | SendingPolicy
  | Templates
  | Transaction

const readConfig = Schema.decodeUnknownSync(SendEmailConfig)
const isCustom = (config: Schema.JsonObject): boolean => (config as SendEmailConfig).recipient?.type === "CUSTOM"
const readAddress = Schema.decodeUnknownOption(Mailbox)

/** The step stores no mail. */
class Refused extends Data.TaggedError("Refused")<{ readonly outcome: StepOutcome }> {}

const failed = (code: string, message: string): StepOutcome => ({ _tag: "Failed", code, message })
const refuse = (code: string, message: string) => new Refused({ outcome: failed(code, message) })

const skipReasons: { readonly [Reason in TakingRefusal]: string } = {
  UNSUBSCRIBED: "contact_unsubscribed",
  TOPIC_UNSUBSCRIBED: "topic_unsubscribed",
  SNOOZED: "contact_snoozed"
}

const skipped = (reason: string): StepOutcome => ({ _tag: "Done", skipped: true, output: { skipped: true, reason } })

/** The sending policy of the project allows the mail at `until`. The step asks again then. */
const held = (reason: HoldReason, until: DateTime.Utc, since: DateTime.Utc | null): StepOutcome => ({
  ...restUntil(until),
  output: {
    hold: { reason, until: DateTime.formatIso(until) },
    ...(since !== null && { cappedSince: DateTime.formatIso(since) })
  }
})

const readWait = Schema.decodeUnknownOption(Schema.Struct({ cappedSince: Schema.DateTimeUtcFromString }))

/** When a visit began to wait for a frequency cap. Null if it did not. */
const cappedSince = ({ visit }: StepInput): DateTime.Utc | null =>
  Option.match(readWait(visit?.output), { onNone: () => null, onSome: (wait) => wait.cappedSince })

/** A mail to store. It has no content if it could not be rendered. */
interface RenderedMail {
  readonly email: NewEmail
  readonly content: NewContent | undefined
}

const outcomeOf = (
  { id, failed: fault }: NewEmail,
  suppressed: ReadonlyMap<EmailId, SuppressionReason>
): StepOutcome => {
  if (fault !== undefined) return { _tag: "Failed", ...fault, output: { emailId: id } }
  return suppressed.has(id)
    ? { _tag: "Done", skipped: true, output: { skipped: true, reason: "suppressed", emailId: id } }
    : { _tag: "Done", output: { emailId: id } }
}

const run = Effect.gen(function* () {
  const billing = yield* Billing
  const domains = yield* SenderDomains
  const events = yield* EventLog
  const ledger = yield* Ledger
  const { mail: wakeup } = yield* Wakeups
  const partials = yield* Partials
  const personal = yield* MailRenderer
  const policy = yield* SendingPolicy
  const projects = yield* Projects
  const random = yield* SecureRandom.SecureRandom
  const settings = yield* Settings
  const work = yield* TextWork
  const templates = yield* Templates
  const topics = yield* TopicChoice.make
  const transaction = yield* Transaction

  /** The template and its topic, and whether its sender may send: each is read once for all executions at the step. */
  const find = Effect.fnUntraced(function* (project: ProjectId, id: string | null, topicId: string | null) {
    if (id === null) return yield* refuse("template_missing", "The step has no template.")
    const template = yield* templates
      .get(project, TemplateId.make(id))
      .pipe(Effect.catchTag("TEMPLATE_NOT_FOUND", ({ message }) => refuse("template_missing", message)))
    const maySend = yield* Effect.cached(
      domains
        .requireVerified(project, template.from)
        .pipe(Effect.catch(({ message }) => refuse("sender_domain_unverified", message)))
    )
    const { partials: named } = yield* partials.around(project, [template], template.layout)
    const name = topicId ?? template.topicId
    // A template whose type was changed later asks nothing, whatever the step names.
    const hasTopic = name !== null && template.type !== "TRANSACTIONAL"
    const topic = hasTopic ? Option.getOrNull(yield* topics.find(project, name)) : null
    return { template, partials: named, topic, maySend }
  })
  type Source = Effect.Success<ReturnType<typeof find>>

  /** The recipient: the contact, or a rendered address. */
  const addressOf = Effect.fnUntraced(function* (input: StepInput, project: StoredProject) {
    const { recipient } = readConfig(input.step.config)
    if (recipient?.type !== "CUSTOM") return { email: input.contact.email }
    const given = yield* renderText(work, recipient.customEmail ?? "", input, project, "plain").pipe(
      Effect.catch(({ message }) => refuse("render_failed", message))
    )
    const address = Option.getOrUndefined(readAddress(given.trim()))
    if (address !== undefined) return mailboxOf(address)
    return yield* refuse("invalid_recipient", "The custom recipient is not an email address.")
  })

  const text = (draft: Draft, texts: LocalTexts, input: StepInput, id: EmailId) =>
    personal
      .render(
        { ...draft, ...texts, event: input.context, withoutLinks: isCustom(input.step.config) },
        { ...input.contact, projectId: input.execution.projectId },
        id,
        { listMissing: draft.strict }
      )
      .pipe(
        Effect.filterOrFail(
          ({ missing }) => missing.length === 0,
          ({ missing }) => ({ message: missingFaults(missing, draft.recipients[0]?.email ?? "")[0]?.message ?? "" })
        ),
        Effect.filterOrFail(
          (mail) => messageBytes({ ...mail, headers: {}, attachments: [] }) <= settings.maxMessageBytes,
          () => ({ message: `The mail is larger than ${settings.maxMessageBytes} bytes.` })
        ),
        Effect.result
      )

  /** Lets the execution wait, or go on without the mail, while the sending policy of the project forbids it. */
  const requirePolicy = Effect.fnUntraced(function* (
    input: StepInput,
    project: StoredProject,
    type: EmailType,
    now: DateTime.Utc
  ) {
    if (!isUnderPolicy({ type, sourceType: "WORKFLOW", test: false })) return
    const { contact, step, visit } = input
    const stored = visit?.scheduledFor ?? null
    if (stored !== null && DateTime.isGreaterThan(stored, now))
      return yield* new Refused({ outcome: restUntil(stored) })
    const { quietHours } = yield* policy.getCached(project.id)
    if (quietHours === null || mailPolicy(readConfig(step.config).policy).quietHours === "BYPASS") return
    const until = quietUntil(quietHours, now.epochMilliseconds, contact.data, project.timezone)
    if (until === undefined) return
    return yield* new Refused({
      outcome:
        quietHours.action === "SKIP"
          ? skipped("quiet_hours")
          : held("QUIET_HOURS", DateTime.makeUnsafe(until), cappedSince(input))
    })
  })

  const write = Effect.fnUntraced(function* (
    input: StepInput,
    project: StoredProject,
    { maySend, ...source }: Source,
    now: DateTime.Utc
  ) {
    const { execution, contact, visitId } = input
    const { template, topic } = source
    const refusal = asksConsent(template.type, "WORKFLOW", topic?.id ?? null)
      ? takingRefusal(contact, topic, now)
      : undefined
    if (refusal !== undefined) return yield* new Refused({ outcome: skipped(skipReasons[refusal]) })
    yield* requirePolicy(input, project, template.type, now)
    yield* maySend
    const to = yield* addressOf(input, project)
    const draft = yield* draftOf({ to: to.email }, source, project, [], work).pipe(
      Effect.catch(({ message }) => refuse("render_failed", message))
    )
    const id = EmailId.make(yield* random.uuidV7())
    const { language, ...texts } = textsFor(draft, [contact.data["locale"]], project.language)
    const mail = yield* text(draft, texts, input, id)
    const email: NewEmail = {
      id,
      contactId: contact.id,
      contentId: id,
      to: to.email,
      toName: to.name ?? null,
      from: draft.from.email,
      fromName: draft.from.name,
      replyTo: draft.replyTo,
      subject: mail._tag === "Success" ? mail.success.subject : texts.subject,
      type: draft.type,
      sourceType: "WORKFLOW",
      templateId: template.id,
      templateVersion: template.version,
      ...(topic !== null && { topicId: topic.id }),
      locale: language,
      workflow: {
        id: execution.workflowId,
        executionId: execution.id,
        stepExecutionId: visitId,
        stepId: input.step.id
      },
      tracking: draft.tracking,
      headers: {},
      attachments: [],
      ...(mail._tag === "Failure" && { failed: { code: "render_failed", message: mail.failure.message } as const })
    }
    const content = mail._tag === "Success" ? { id, html: mail.success.html, text: mail.success.text } : undefined
    return { email, content } satisfies RenderedMail
  })

  const recordFailures = (project: ProjectId, emails: ReadonlyArray<NewEmail>, now: DateTime.Utc) =>
    events.record(
      project,
      emails.flatMap(({ failed: fault, workflow, ...email }) =>
        fault === undefined
          ? []
          : [
              failedEvent(
                {
                  ...email,
                  tags: {},
                  recipientType: "TO",
                  groupId: null,
                  templateVersion: email.templateVersion ?? null,
                  messageId: null,
                  provider: null,
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

  /**
   * Takes the places of mails under the frequency caps. Returns the outcomes of those that got none: the execution waits
   * in the step, or goes on without the mail.
   */
  const takePlaces = Effect.fnUntraced(function* (
    project: ProjectId,
    rendered: ReadonlyArray<readonly [StepInput, RenderedMail]>,
    now: DateTime.Utc
  ) {
    const refused = new Map<StepInput, StepOutcome>()
    const caps = yield* policy.getCached(project)
    if (caps.frequencyCaps.length === 0) return refused
    const requests = rendered.flatMap(([input, { email }]) => {
      const { id: emailId, failed: fault, topicId = null, type, sourceType } = email
      if (fault !== undefined || !countsForCaps({ type, sourceType, test: false })) return []
      const isLimited = mailPolicy(readConfig(input.step.config).policy).frequencyCaps === "APPLY"
      const mail = { projectId: project, contactId: input.contact.id, emailId, topicId }
      const request = placeRequest(caps, mail, isLimited)
      return request === undefined ? [] : [[input, request] as const]
    })
    const answers = yield* policy.takePlaces(requests.map(([, request]) => request))
    for (const [input, request] of requests) {
      const freeAt = answers.get(request) ?? null
      if (freeAt === null) continue
      const since = cappedSince(input) ?? now
      const until = waitsUntil(caps, caps.onCap.workflows, freeAt, { now, since })
      refused.set(input, until === undefined ? skipped("frequency_cap") : held("FREQUENCY_CAP", until, since))
    }
    return refused
  })

  /** Counts a mail against the cap, unless it could not be rendered. */
  const charge = (project: ProjectId, { email }: RenderedMail): Effect.Effect<void, Refused> =>
    email.failed === undefined
      ? transaction
          .attempt(billing.charge(project, "workflows", 1))
          .pipe(Effect.catch(({ message }) => refuse("billing_limit", message)))
      : Effect.void

  const store = Effect.fnUntraced(function* (
    project: ProjectId,
    mails: Array.NonEmptyReadonlyArray<RenderedMail>,
    now: DateTime.Utc
  ) {
    const emails = Array.map(mails, ({ email }) => email)
    const contents = mails.flatMap(({ content }) => content ?? [])
    const suppressed = yield* ledger.accept(project, emails, contents, [], now)
    yield* billing.giveBack(project, "workflows", suppressed.size)
    yield* recordFailures(project, emails, now)
    yield* transaction.afterCommit(wakeup.wake)
    return suppressed
  })

  /** The inputs are of one project. */
  const send = Effect.fnUntraced(function* (inputs: ReadonlyArray<StepInput>, now: DateTime.Utc) {
    const outcomes = new Map<StepInput, StepOutcome>()
    const rendered: Array<readonly [StepInput, RenderedMail]> = []
    const written: Array<readonly [StepInput, RenderedMail]> = []
    const id = inputs[0]?.execution.projectId
    if (id === undefined) return outcomes
    const project = yield* Effect.orDie(projects.getCached(id))
    const isCapped = yield* billing.isCapped(id, "workflows")
    const known = new Map<string, Effect.Effect<Source, Refused>>()
    for (const input of inputs) {
      const { templateId } = input.step
      const topicId = readConfig(input.step.config).topicId ?? null
      const key = `${templateId} ${topicId}`
      const template = known.get(key) ?? (yield* Effect.cached(find(id, templateId, topicId)))
      known.set(key, template)
      const mail = yield* Effect.result(Effect.flatMap(template, (found) => write(input, project, found, now)))
      if (mail._tag === "Failure") outcomes.set(input, mail.failure.outcome)
      else rendered.push([input, mail.success])
    }
    for (const [input, outcome] of yield* takePlaces(id, rendered, now)) outcomes.set(input, outcome)
    for (const [input, mail] of rendered) {
      if (outcomes.has(input)) continue
      const charged = yield* Effect.result(isCapped ? charge(id, mail) : Effect.void)
      if (charged._tag === "Failure") outcomes.set(input, charged.failure.outcome)
      else written.push([input, mail])
    }
    const mails = written.map(([, mail]) => mail)
    if (!Array.isArrayNonEmpty(mails)) return outcomes
    const suppressed = yield* store(id, mails, now)
    for (const [input, { email }] of written) outcomes.set(input, outcomeOf(email, suppressed))
    return outcomes
  })

  const all: RunStep = Effect.fnUntraced(function* (inputs, now) {
    const outcomes = new Map<StepInput, StepOutcome>()
    for (const group of Map.groupBy(inputs, ({ execution }) => execution.projectId).values()) {
      for (const [input, outcome] of yield* send(group, now)) outcomes.set(input, outcome)
    }
    return inputs.map((input) => outcomes.get(input) ?? failed("render_failed", "The mail was not written."))
  })
  return all
})

const checks = Effect.gen(function* () {
  const senders = yield* SenderDomains
  const templates = yield* Templates
  const topics = yield* TopicChoice.make

  const topicFaults = Effect.fnUntraced(function* (project: ProjectId, { config }: StepContent, type?: EmailType) {
    const { topicId } = config as SendEmailConfig
    if (topicId == null) return []
    const topic = yield* topics.hold(project, topicId)
    const fault = Option.isNone(topic)
      ? { field: "config.topicId", code: "custom" as const, message: `No topic ${topicId} in this project.` }
      : type && topicFault(type, topicId, false, "topicId")
    return fault === undefined ? [] : [{ ...fault, field: "config.topicId" }]
  })

  const contentFaults = Effect.fnUntraced(function* (project: ProjectId, content: StepContent) {
    const { config, templateId } = content
    if (templateId === null) return yield* topicFaults(project, content)
    const template = yield* templates.hold(project, templateId)
    return [...recipientFaults(config, template), ...(yield* topicFaults(project, content, template.type))]
  })

  const recipientFaults = (config: Schema.JsonObject, template: Template): ReadonlyArray<Fault> => {
    return isCustom(config) && template.type !== "TRANSACTIONAL"
      ? [
          {
            field: "config.recipient.type",
            code: "custom" as const,
            message: "A custom recipient takes a template of the type TRANSACTIONAL."
          }
        ]
      : []
  }

  const mailFaults = Effect.fnUntraced(
    function* (project: ProjectId, content: StepContent) {
      if (content.templateId === null) {
        return [{ field: "templateId", code: "required" as const, message: "Choose a template." }]
      }
      const template = yield* templates.get(project, content.templateId)
      yield* senders.requireVerified(project, template.from)
      return yield* contentFaults(project, content)
    },
    (effect) =>
      Effect.catch(effect, (error) =>
        Effect.succeed<ReadonlyArray<Fault>>([{ field: "templateId", code: "custom", message: error.message }])
      )
  )

  return { save: contentFaults, enable: mailFaults } satisfies StepChecks
})

export const sendEmail: StepDefinition<Needs, Effect.Services<typeof TopicChoice.make> | SenderDomains | Templates> = {
  checks,
  run
}

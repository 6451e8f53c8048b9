/** Sends a test of a campaign to one address. */

import type { Contact } from "@posthorn/contract/audience/contacts/Contact"
import type { Campaign, TestCampaign } from "@posthorn/contract/automation/campaigns/Campaign"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { mailboxOf } from "@posthorn/contract/platform/Mailbox"
import { DateTime, Effect, Option, type Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Projects } from "../../accounts/projects/Projects.ts"
import { isOneShot, reservedKeys } from "../../audience/contacts/DataChange.ts"
import { Partials } from "../../content/partials/Partials.ts"
import { textsFor } from "../../content/templates/Translations.ts"
import { Ledger } from "../../mail/ledger/Ledger.ts"
import { MailRenderer } from "../../mail/sending/MailRenderer.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import { CampaignStore } from "./CampaignStore.ts"

const prefix = "[TEST] "
const maxSubject = 998

const withPrefix = (subject: string): string => [...(prefix + subject)].slice(0, maxSubject).join("").trimEnd()

/** All values as one-shot values, because a test stores nothing about the contact. */
const oneOff = (data: TestCampaign["data"]): Schema.JsonObject =>
  Object.fromEntries(
    Object.entries(data ?? {})
      .filter(([key]) => !reservedKeys.has(key))
      .map(([key, value]) => [key, { value: isOneShot(value) ? value.value : value, persistent: false }])
  )

export const make = Effect.gen(function* () {
  const store = yield* CampaignStore
  const ledger = yield* Ledger
  const { mail: wakeup } = yield* Wakeups
  const renderer = yield* MailRenderer
  const partials = yield* Partials
  const projects = yield* Projects
  const random = yield* SecureRandom.SecureRandom
  const transaction = yield* Transaction

  /** Only contacts and members of the project get tests. */
  const mayGet = Effect.fnUntraced(function* (project: ProjectId, email: string) {
    return Option.isSome(yield* store.contactAt(project, email)) || (yield* store.isMember(project, email))
  })

  const recipientOf = (project: ProjectId, email: string, contact: Contact | undefined) =>
    contact ?? { id: null, projectId: project, email, subscribed: true, data: {} }

  /** Renders and queues the test. Joins the caller's transaction. */
  const send = Effect.fn("CampaignTests.send")(function* (
    projectId: ProjectId,
    campaign: Campaign,
    { email: given, data }: TestCampaign
  ) {
    const { email, name } = mailboxOf(given)
    const project = yield* Effect.orDie(projects.getCached(projectId))
    const contact = Option.getOrUndefined(yield* store.contactAt(projectId, email))
    const id = EmailId.make(yield* random.uuidV7())
    const { type } = campaign
    const { language, ...texts } = textsFor(campaign, [data?.["locale"], contact?.data["locale"]], project.language)
    const around = yield* partials.around(projectId, [texts], campaign.layout)
    const text = yield* renderer.render(
      { ...texts, type, project, data: oneOff(data), around },
      recipientOf(projectId, email, contact),
      id,
      { nameMissing: contact === undefined }
    )
    yield* ledger.accept(
      projectId,
      [
        {
          id,
          contactId: contact?.id ?? null,
          contentId: id,
          to: email,
          toName: name ?? null,
          from: campaign.from,
          fromName: campaign.fromName ?? project.name,
          replyTo: campaign.replyTo,
          subject: withPrefix(text.subject),
          type,
          sourceType: "CAMPAIGN",
          templateId: campaign.templateId,
          templateVersion: campaign.templateVersion,
          locale: language,
          campaignId: campaign.id,
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

  return { mayGet, send }
})

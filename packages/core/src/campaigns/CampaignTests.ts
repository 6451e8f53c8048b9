/** A campaign as one person would get it, before anybody does (contract 14.9). */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { Campaign, TestCampaign } from "@posthorn/contract/campaigns/Campaign"
import type { Contact } from "@posthorn/contract/contacts/Contact"
import type { ValidationError } from "@posthorn/contract/Errors"
import { EmailId } from "@posthorn/contract/emails/Email"
import { Context, DateTime, Effect, Layer, Option, type Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { isOneShot, reservedKeys } from "../contacts/DataChange.ts"
import { Ledger } from "../emails/Ledger.ts"
import { Projects } from "../projects/Projects.ts"
import { MailNudge } from "../sending/MailNudge.ts"
import { PersonalMail } from "../sending/PersonalMail.ts"
import { Transaction } from "../Transaction.ts"
import { CampaignStore } from "./CampaignStore.ts"

export class CampaignTests extends Context.Service<
  CampaignTests,
  {
    /** Whether a contact or a member of the project has this address: nobody else is sent a test. */
    readonly mayGet: (project: ProjectId, email: string) => Effect.Effect<boolean>
    /** Writes and queues the test; joins the caller's transaction. */
    readonly send: (
      project: ProjectId,
      campaign: Campaign,
      input: TestCampaign
    ) => Effect.Effect<EmailId, ValidationError>
  }
>()("@posthorn/core/campaigns/CampaignTests") {}

const prefix = "[TEST] "
const maxSubject = 998

const withPrefix = (subject: string): string => [...(prefix + subject)].slice(0, maxSubject).join("").trimEnd()

/** All values as one-shots, whether they were given as such or not: a test stores nothing about the contact. */
const oneOff = (data: TestCampaign["data"]): Schema.JsonObject =>
  Object.fromEntries(
    Object.entries(data ?? {})
      .filter(([key]) => !reservedKeys.has(key))
      .map(([key, value]) => [key, { value: isOneShot(value) ? value.value : value, persistent: false }])
  )

export const layer: Layer.Layer<
  CampaignTests,
  never,
  CampaignStore | Ledger | MailNudge | PersonalMail | Projects | SecureRandom.SecureRandom | Transaction
> = Layer.effect(
  CampaignTests,
  Effect.gen(function* () {
    const store = yield* CampaignStore
    const ledger = yield* Ledger
    const nudge = yield* MailNudge
    const personal = yield* PersonalMail
    const projects = yield* Projects
    const random = yield* SecureRandom.SecureRandom
    const transaction = yield* Transaction

    const mayGet = Effect.fnUntraced(function* (project: ProjectId, email: string) {
      return Option.isSome(yield* store.contactAt(project, email)) || (yield* store.isMember(project, email))
    })

    const readerOf = (project: ProjectId, email: string, contact: Contact | undefined) =>
      contact ?? { id: null, projectId: project, email, subscribed: true, data: {} }

    const send = Effect.fn("CampaignTests.send")(function* (
      projectId: ProjectId,
      campaign: Campaign,
      { email, data }: TestCampaign
    ) {
      const project = yield* Effect.orDie(projects.recall(projectId))
      const contact = Option.getOrUndefined(yield* store.contactAt(projectId, email))
      const id = EmailId.make(yield* random.uuidV7())
      const { subject, body, type } = campaign
      const text = yield* personal.render(
        { subject, body, type, project, data: oneOff(data) },
        readerOf(projectId, email, contact),
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
            toName: null,
            from: campaign.from,
            fromName: campaign.fromName ?? project.name,
            replyTo: campaign.replyTo,
            subject: withPrefix(text.subject),
            type,
            sourceType: "CAMPAIGN",
            templateId: campaign.templateId,
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
      yield* transaction.afterCommit(nudge.wake)
      return id
    })

    return CampaignTests.of({ mayGet, send })
  })
)

/** Campaigns: one message to an audience, both fixed when sending starts. */

import type { BillingLimitExceeded } from "@posthorn/contract/accounts/billing/Billing"
import { SegmentId, type SegmentNotFound } from "@posthorn/contract/audience/segments/Segment"
import {
  type ApproveCampaign,
  type Campaign,
  type CampaignDetail,
  CampaignId,
  CampaignNotFound,
  type CampaignPage,
  type CampaignQuery,
  type CampaignStats,
  type CampaignStatus,
  EmptyAudience,
  type FollowUpCampaign,
  type RecipientPage,
  type RecipientQuery,
  type RejectCampaign,
  type ReplaceCampaign,
  type RequestApproval,
  type RetryFailed,
  type SendCampaign,
  type TestCampaign,
  type WriteCampaign
} from "@posthorn/contract/automation/campaigns/Campaign"
import type { ChooseVariant, ExperimentFigures } from "@posthorn/contract/automation/campaigns/CampaignExperiment"
import type { SetRecurrence } from "@posthorn/contract/automation/campaigns/CampaignRecurrence"
import type {
  CampaignLinksQuery,
  CampaignReport,
  CampaignReportQuery
} from "@posthorn/contract/automation/campaigns/CampaignReport"
import type { CampaignLinks } from "@posthorn/contract/content/links/Links"
import type { TemplateNotFound } from "@posthorn/contract/content/templates/Template"
import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { ProviderFigures } from "@posthorn/contract/mail/emails/Provider"
import type { Forbidden, ProjectId } from "@posthorn/contract/platform/Auth"
import type { SenderDomainUnverified } from "@posthorn/contract/platform/Errors"
import {
  BadRequest,
  Conflict,
  type InvalidCursor,
  ResourceInUse,
  type ResourceNotFound,
  ValidationError
} from "@posthorn/contract/platform/Errors"
import { Id, pageSize } from "@posthorn/contract/platform/Primitives"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Billing } from "../../accounts/billing/Billing.ts"
import { Projects } from "../../accounts/projects/Projects.ts"
import { Segments } from "../../audience/segments/Segments.ts"
import { LinkTotals } from "../../content/links/LinkTotals.ts"
import { textsOf } from "../../content/links/SourceLinks.ts"
import { Partials } from "../../content/partials/Partials.ts"
import { compilingOnce } from "../../content/templates/CompiledBody.ts"
import { type Compiler, MjmlCompiler } from "../../content/templates/MjmlCompiler.ts"
import { SenderDomains } from "../../content/templates/SenderDomains.ts"
import { requireSyntax, type Surroundings } from "../../content/templates/TextSyntax.ts"
import { TextWork } from "../../content/text/TextWork.ts"
import * as TestMail from "../../mail/sending/TestMail.ts"
import { type AuditEntry, recorded } from "../../platform/audit/Audited.ts"
import { copyName } from "../../platform/CopyName.ts"
import { cursorPage } from "../../platform/CursorPages.ts"
import { Cursors } from "../../platform/Cursors.ts"
import { offsetPage, placeOf, sliceOf } from "../../platform/OffsetPages.ts"
import { providerRates } from "../../platform/Rates.ts"
import { reading } from "../../platform/ReadSqlClient.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import * as CampaignApprovals from "./CampaignApprovals.ts"
import * as CampaignContents from "./CampaignContents.ts"
import { sendingFaults } from "./CampaignDeliveries.ts"
import { rates } from "./CampaignRates.ts"
import * as CampaignRecurrences from "./CampaignRecurrences.ts"
import * as CampaignReports from "./CampaignReports.ts"
import * as CampaignStarts from "./CampaignStarts.ts"
import { requireState } from "./CampaignState.ts"
import { CampaignStore } from "./CampaignStore.ts"
import { startsAt } from "./CampaignTiming.ts"
import * as CampaignExperiments from "./experiment/CampaignExperiments.ts"
import { cancelExperiments } from "./experiment/ExperimentSql.ts"
import { allTexts, asVariant, textsOfVariant, variantSyntaxFaults } from "./experiment/Variants.ts"
import { closeGoals, reopenGoal } from "./goals/GoalSql.ts"
import { upliftOf } from "./holdout/Uplift.ts"
import { scheduleTime } from "./ScheduleTime.ts"

type WriteError =
  | CampaignNotFound
  | Conflict
  | ValidationError
  | SenderDomainUnverified
  | SegmentNotFound
  | TemplateNotFound

/** A changed campaign, and a sentence about the change. */
export interface CampaignChange {
  readonly campaign: Campaign
  readonly message: string
}

/**
 * Stores campaigns, and starts, pauses and ends their sending. A service, because it needs the MJML compiler of the host,
 * which handlers do not see.
 */
export class Campaigns extends Context.Service<
  Campaigns,
  {
    readonly list: (project: ProjectId, query: CampaignQuery) => Effect.Effect<CampaignPage>
    /** Creates a draft. Texts that the request leaves out are copied from the template. */
    readonly create: (project: ProjectId, input: WriteCampaign) => Effect.Effect<Campaign, WriteError>
    readonly get: (project: ProjectId, id: CampaignId) => Effect.Effect<CampaignDetail, CampaignNotFound>
    /** Replaces the content of a campaign that is not being sent yet. Its schedule stays. */
    readonly update: (
      project: ProjectId,
      id: CampaignId,
      input: ReplaceCampaign
    ) => Effect.Effect<Campaign, WriteError | CampaignNotFound | Conflict>
    /** Refused while it is being sent. */
    readonly delete: (project: ProjectId, id: CampaignId) => Effect.Effect<void, CampaignNotFound | ResourceInUse>
    readonly duplicate: (project: ProjectId, id: CampaignId) => Effect.Effect<CampaignChange, CampaignNotFound>
    /** A draft to the recipients of a campaign that has started, by what they did with its mail. */
    readonly followUp: (
      project: ProjectId,
      id: CampaignId,
      input: FollowUpCampaign
    ) => Effect.Effect<Campaign, CampaignNotFound | Conflict | ValidationError>
    /**
     * Without a time, the audience is fixed and sending has started when it returns. With a time in the past, sending
     * starts at the next check of a worker.
     */
    readonly send: (
      project: ProjectId,
      id: string,
      input: SendCampaign
    ) => Effect.Effect<
      CampaignChange,
      | BadRequest
      | BillingLimitExceeded
      | CampaignNotFound
      | Conflict
      | EmptyAudience
      | SenderDomainUnverified
      | ValidationError
    >
    /** Sends copies of a draft by a schedule. */
    readonly setRecurrence: (
      project: ProjectId,
      id: CampaignId,
      input: SetRecurrence
    ) => Effect.Effect<Campaign, CampaignNotFound | Conflict | ValidationError>
    readonly removeRecurrence: (project: ProjectId, id: CampaignId) => Effect.Effect<void, CampaignNotFound>
    /** After it returns, no more mail is sent, except mail that is being transmitted. */
    readonly cancel: (project: ProjectId, id: CampaignId) => Effect.Effect<CampaignChange, CampaignNotFound | Conflict>
    /** Like `cancel`, until it is resumed. */
    readonly pause: (project: ProjectId, id: CampaignId) => Effect.Effect<CampaignChange, CampaignNotFound | Conflict>
    readonly resume: (project: ProjectId, id: CampaignId) => Effect.Effect<CampaignChange, CampaignNotFound | Conflict>
    /** Retries failed mails under their ids; with `includeAmbiguous` also those that may have been sent. */
    readonly retryFailed: (
      project: ProjectId,
      id: CampaignId,
      input: RetryFailed
    ) => Effect.Effect<
      { readonly retried: number; readonly status: CampaignStatus },
      BillingLimitExceeded | CampaignNotFound | Conflict | SenderDomainUnverified
    >
    /** Sends the campaign to one contact or member of the project, marked as a test. */
    readonly test: (
      project: ProjectId,
      id: CampaignId,
      input: TestCampaign
    ) => Effect.Effect<EmailId, CampaignNotFound | Conflict | Forbidden | SenderDomainUnverified | ValidationError>
    /** The figures of the experiment. */
    readonly experiment: (
      project: ProjectId,
      id: CampaignId
    ) => Effect.Effect<ExperimentFigures, CampaignNotFound | ResourceNotFound>
    /** Decides the experiment in place of its figures. */
    readonly decideExperiment: (
      project: ProjectId,
      id: CampaignId,
      input: ChooseVariant
    ) => Effect.Effect<ExperimentFigures, CampaignNotFound | Conflict | ResourceNotFound | ValidationError>
    /** Asks the administrators of the project for an approval. */
    readonly requestApproval: (
      project: ProjectId,
      id: CampaignId,
      input: RequestApproval
    ) => Effect.Effect<Campaign, CampaignNotFound | Conflict>
    /** The decision holds until content or audience change. */
    readonly approve: (
      project: ProjectId,
      id: CampaignId,
      input: ApproveCampaign
    ) => Effect.Effect<Campaign, CampaignNotFound | Conflict | Forbidden>
    readonly reject: (
      project: ProjectId,
      id: CampaignId,
      input: RejectCampaign
    ) => Effect.Effect<Campaign, CampaignNotFound | Conflict>
    readonly stats: (project: ProjectId, id: CampaignId) => Effect.Effect<CampaignStats, CampaignNotFound>
    readonly links: (
      project: ProjectId,
      id: CampaignId,
      query: CampaignLinksQuery
    ) => Effect.Effect<CampaignLinks, CampaignNotFound>
    readonly report: (
      project: ProjectId,
      id: CampaignId,
      query: CampaignReportQuery
    ) => Effect.Effect<CampaignReport, CampaignNotFound>
    readonly providers: (
      project: ProjectId,
      id: CampaignId
    ) => Effect.Effect<{ readonly providers: ReadonlyArray<ProviderFigures> }, CampaignNotFound>
    /** Ordered by contact id. */
    readonly recipients: (
      project: ProjectId,
      id: CampaignId,
      query: RecipientQuery
    ) => Effect.Effect<RecipientPage, CampaignNotFound | InvalidCursor>
  }
>()("@posthorn/core/automation/campaigns/Campaigns") {}

const badTime = new BadRequest({
  parameter: "scheduledFor",
  errors: [{ field: "scheduledFor", code: "invalid_string", message: "Not a date that can be read." }]
})

const isId = Schema.decodeUnknownOption(Id)

export const layer: Layer.Layer<
  Campaigns,
  never,
  | Effect.Services<typeof CampaignApprovals.make>
  | Effect.Services<typeof CampaignContents.make>
  | Effect.Services<typeof CampaignRecurrences.make>
  | Effect.Services<typeof CampaignStarts.make>
  | Effect.Services<typeof TestMail.make>
  | Cursors
  | LinkTotals
  | SqlClient.SqlClient
> = Layer.effect(
  Campaigns,
  Effect.gen(function* () {
    const work = yield* TextWork
    const mjml = yield* MjmlCompiler
    const store = yield* CampaignStore
    const billing = yield* Billing
    const approvals = yield* CampaignApprovals.make
    const contents = yield* CampaignContents.make
    const recurrences = yield* CampaignRecurrences.make
    const reports = yield* reading(CampaignReports.make)
    const starts = yield* CampaignStarts.make
    const tests = yield* TestMail.make
    const cursors = yield* Cursors
    const totals = yield* LinkTotals
    const domains = yield* SenderDomains
    const partials = yield* Partials
    const { campaigns: wakeup, mail } = yield* Wakeups
    const sql = yield* SqlClient.SqlClient
    const experiments = yield* CampaignExperiments.make
    const audit = recorded(sql)
    const random = yield* SecureRandom.SecureRandom
    const projects = yield* Projects
    const segments = yield* Segments
    const transaction = yield* Transaction

    const found = (id: string) => (campaign: Option.Option<Campaign>) =>
      Option.isSome(campaign) ? Effect.succeed(campaign.value) : Effect.fail(new CampaignNotFound({ id }))

    const find = (project: ProjectId, id: CampaignId) => Effect.flatMap(store.find(project, id), found(id))
    const lock = (project: ProjectId, id: CampaignId) => Effect.flatMap(store.lock(project, id), found(id))
    const reread = (project: ProjectId, id: CampaignId) => Effect.orDie(find(project, id))
    const record = (project: ProjectId, { id, name }: Campaign, action: string, more: AuditEntry["details"] = {}) =>
      audit({ project, action: `campaign.${action}`, details: { campaignId: id, name, ...more } })
    /** When sending starts, and the faults of `delivery`, for a campaign that is sent at this time or at once. */
    const planned = Effect.fnUntraced(function* (
      project: ProjectId,
      { delivery }: Pick<Campaign, "delivery">,
      scheduledFor: DateTime.Utc | undefined
    ) {
      const errors = sendingFaults(delivery, scheduledFor, yield* DateTime.now)
      if (errors.length > 0) return yield* new ValidationError({ errors })
      if (scheduledFor === undefined) return null
      const { timezone } = yield* Effect.orDie(projects.get(project))
      return startsAt(delivery, scheduledFor, timezone)
    })

    const newId = Effect.map(random.uuidV7(), (id) => CampaignId.make(id))

    const list = Effect.fn("Campaigns.list")(function* (project: ProjectId, query: CampaignQuery) {
      const { parentId, status, search, sort = "createdAt", dir = "desc" } = query
      const filter = { ...(parentId && { parentId }), ...(status && { status }), ...(search && { search }) }
      const place = placeOf(query)
      const data = yield* store.list(project, filter, { sort, dir }, sliceOf(place))
      return offsetPage(place, data, yield* store.count(project, filter))
    })

    const create = Effect.fn("Campaigns.create")(function* (project: ProjectId, input: WriteCampaign) {
      const compiler = compilingOnce(mjml)
      yield* contents.check(project, input, compiler)
      return yield* transaction.run(insertNew(project, input, compiler))
    })

    const insertNew = Effect.fnUntraced(function* (project: ProjectId, input: WriteCampaign, compiler: Compiler) {
      const now = yield* DateTime.now
      const id = yield* newId
      const content = yield* contents.read(project, id, input, compiler, now)
      yield* domains.holdVerified(project, content.from)
      return yield* store.insert(project, id, content, now)
    })

    const get = Effect.fn("Campaigns.get")(function* (project: ProjectId, id: CampaignId) {
      const campaign = yield* find(project, id)
      const named = yield* store.topic(project, campaign.topicId)
      const topic = named && { id: named.id, key: named.key, name: named.name }
      if (campaign.segmentId === null) return { ...campaign, segment: null, topic }
      const segment = Option.getOrNull(yield* Effect.option(segments.get(project, SegmentId.make(campaign.segmentId))))
      return {
        ...campaign,
        topic,
        segment: segment && {
          id: segment.id,
          name: segment.name,
          type: segment.type,
          memberCount: segment.memberCount
        }
      }
    })

    const update = Effect.fn("Campaigns.update")(function* (
      project: ProjectId,
      id: CampaignId,
      input: ReplaceCampaign
    ) {
      const compiler = compilingOnce(mjml)
      yield* contents.check(project, input, compiler)
      return yield* transaction.run(replace(project, id, input, compiler))
    })

    const replace = Effect.fnUntraced(function* (
      project: ProjectId,
      id: CampaignId,
      input: ReplaceCampaign,
      compiler: Compiler
    ) {
      const now = yield* DateTime.now
      const campaign = yield* lock(project, id)
      const content = yield* contents.read(project, id, input, compiler, now, campaign)
      yield* domains.holdVerified(project, content.from)
      yield* requireState(campaign, "update")
      yield* approvals.requireChange(project, campaign)
      if (!(yield* store.update(project, id, content, now, input.ifUpdatedAt))) {
        return yield* new Conflict({ reason: "changed_meanwhile", updatedAt: campaign.updatedAt })
      }
      if (campaign.approval.state !== "NONE") yield* store.endApproval(project, id)
      if (campaign.status === "SCHEDULED" && campaign.scheduledFor !== null) {
        yield* store.setState(project, id, { startsAt: yield* planned(project, content, campaign.scheduledFor) }, now)
      }
      if (campaign.recurrence !== null) {
        yield* recurrences.changed(project, id, { delivery: content.delivery, recurrence: campaign.recurrence })
      }
      return yield* reread(project, id)
    })

    const remove = Effect.fn("Campaigns.delete")(function* (project: ProjectId, id: CampaignId) {
      const campaign = yield* lock(project, id)
      if (campaign.status === "SENDING") {
        const counters = Option.getOrThrow(yield* store.counters(project, id))
        return yield* new ResourceInUse({ pendingEmails: counters.pendingCount })
      }
      yield* store.delete(project, id)
      yield* record(project, campaign, "deleted")
    }, transaction.run)

    const duplicate = Effect.fn("Campaigns.duplicate")(function* (project: ProjectId, id: CampaignId) {
      const now = yield* DateTime.now
      const original = yield* find(project, id)
      const copyId = yield* newId
      const name = copyName(original.name, CampaignContents.maxCampaignName)
      const content = yield* contents.copy(project, copyId, { ...original, name }, now)
      const campaign = yield* store.insert(project, copyId, content, now)
      return { campaign, message: "Campaign duplicated." }
    }, transaction.run)

    const followUp = Effect.fn("Campaigns.followUp")(function* (
      project: ProjectId,
      id: CampaignId,
      input: FollowUpCampaign
    ) {
      const now = yield* DateTime.now
      const original = yield* lock(project, id)
      yield* requireState(original, "followUp")
      const copyId = yield* newId
      return yield* store.insert(project, copyId, yield* contents.followUp(project, copyId, original, input, now), now)
    }, transaction.run)

    const schedule = Effect.fnUntraced(function* (project: ProjectId, campaign: Campaign, scheduledFor: DateTime.Utc) {
      const now = yield* DateTime.now
      const estimatedRecipients = yield* contents.estimate(project, campaign, now)
      yield* billing.requireRoom(project, "campaigns", estimatedRecipients)
      const startsAt = yield* planned(project, campaign, scheduledFor)
      yield* store.setState(
        project,
        campaign.id,
        { status: "SCHEDULED", scheduledFor, startsAt, estimatedRecipients },
        now
      )
      yield* record(project, campaign, "scheduled", { scheduledFor: DateTime.formatIso(scheduledFor) })
      yield* transaction.afterCommit(wakeup.wake)
      return {
        campaign: yield* reread(project, campaign.id),
        message: `Campaign scheduled for ${DateTime.formatIso(scheduledFor)}.`
      }
    })

    const begin = Effect.fnUntraced(function* (project: ProjectId, campaign: Campaign) {
      const now = yield* DateTime.now
      yield* planned(project, campaign, undefined)
      const { recipients, heldOut } = yield* starts.freeze(project, { ...campaign, startsAt: null }, now)
      if (recipients + heldOut === 0) return yield* new EmptyAudience()
      yield* record(project, campaign, "sent", { recipients })
      if (recipients === 0) {
        yield* store.setState(project, campaign.id, { scheduledFor: null, startsAt: null }, now)
        yield* starts.endEmpty(project, campaign.id, now)
        return { campaign: yield* reread(project, campaign.id), message: "All of its contacts are held out." }
      }
      yield* billing.charge(project, "campaigns", recipients)
      yield* store.setState(
        project,
        campaign.id,
        { status: "SENDING", sentAt: now, scheduledFor: null, startsAt: null },
        now
      )
      yield* transaction.afterCommit(wakeup.wake)
      return { campaign: yield* reread(project, campaign.id), message: "Sending has started." }
    })

    const requireVariants = Effect.fnUntraced(function* ({ experiment }: Campaign, around: Surroundings) {
      const errors = yield* variantSyntaxFaults(work, experiment?.variants ?? [], around)
      if (errors.length > 0) return yield* new ValidationError({ errors })
    })

    const send = Effect.fn("Campaigns.send")(function* (project: ProjectId, given: string, input: SendCampaign) {
      const id = Option.getOrUndefined(isId(given))
      if (id === undefined) {
        return yield* ValidationError.one("id", "invalid_string", "Not a valid id.", { received: given.slice(0, 100) })
      }
      const { scheduledFor = null } = input
      const time = scheduledFor === null ? undefined : Option.getOrNull(scheduleTime(scheduledFor))
      if (time === null) return yield* badTime
      const campaign = yield* lock(project, CampaignId.make(id))
      yield* requireState(campaign, "send")
      yield* approvals.require(project, campaign)
      yield* domains.requireVerified(project, campaign.from)
      yield* contents.requireTopic(project, campaign)
      const around = yield* partials.hold(project, allTexts(campaign), campaign.layout)
      yield* requireSyntax(work, campaign, around)
      yield* requireVariants(campaign, around)
      return yield* time === undefined ? begin(project, campaign) : schedule(project, campaign, time)
    }, transaction.run)

    const setRecurrence = Effect.fn("Campaigns.setRecurrence")(function* (
      project: ProjectId,
      id: CampaignId,
      input: SetRecurrence
    ) {
      const campaign = yield* lock(project, id)
      yield* requireState(campaign, "recur")
      if (input.enabled) yield* approvals.require(project, campaign)
      yield* recurrences.set(project, campaign, input)
      yield* audit({ project, action: "recurrence.updated", details: { campaignId: id, name: campaign.name } })
      return yield* reread(project, id)
    }, transaction.run)

    const removeRecurrence = Effect.fn("Campaigns.removeRecurrence")(function* (project: ProjectId, id: CampaignId) {
      const campaign = yield* lock(project, id)
      if (campaign.recurrence === null) return
      yield* store.setRecurrence(project, id, null, null, yield* DateTime.now)
      yield* audit({ project, action: "recurrence.updated", details: { campaignId: id, name: campaign.name } })
    }, transaction.run)

    const cancel = Effect.fn("Campaigns.cancel")(function* (project: ProjectId, id: CampaignId) {
      const now = yield* DateTime.now
      const campaign = yield* lock(project, id)
      yield* requireState(campaign, "cancel")
      if (campaign.status !== "CANCELLED") {
        if (campaign.status === "SENDING") {
          yield* store.stop(project, id)
          yield* cancelExperiments(sql, project, [id], now)
        }
        const state = {
          status: "CANCELLED",
          paused: false,
          scheduledFor: null,
          startsAt: null,
          completedAt: now
        } as const
        yield* store.setState(project, id, state, now)
        yield* closeGoals(sql, sql`select ${project}::uuid as project_id, ${id}::uuid as id`)
        yield* store.recordCancelled(project, id, now)
        yield* record(project, campaign, "cancelled")
        yield* transaction.afterCommit(wakeup.wake)
      }
      return { campaign: yield* reread(project, id), message: "Campaign cancelled." }
    }, transaction.run)

    const setPaused = Effect.fnUntraced(function* (project: ProjectId, id: CampaignId, paused: boolean) {
      const campaign = yield* lock(project, id)
      yield* requireState(campaign, paused ? "pause" : "resume")
      if (campaign.paused !== paused) {
        yield* store.setOpen(project, id, !paused)
        const now = yield* DateTime.now
        yield* store.recordPause(project, id, paused, now)
        yield* store.setState(project, id, { paused }, now)
        yield* record(project, campaign, paused ? "paused" : "resumed")
        if (!paused) yield* transaction.afterCommit(mail.wake)
      }
      return {
        campaign: yield* reread(project, id),
        message: paused ? "Campaign paused." : "Campaign resumed."
      }
    }, transaction.run)

    const retryFailed = Effect.fn("Campaigns.retryFailed")(function* (
      project: ProjectId,
      id: CampaignId,
      { includeAmbiguous }: RetryFailed
    ) {
      const now = yield* DateTime.now
      const campaign = yield* lock(project, id)
      yield* domains.requireVerified(project, campaign.from)
      yield* requireState(campaign, "retryFailed")
      const retried = yield* store.retry(project, id, includeAmbiguous ?? false, now)
      if (retried === 0) return { retried, status: campaign.status }
      yield* billing.chargeAgain(project, "campaigns", retried)
      if (campaign.status === "SENT") {
        yield* store.setState(project, id, { status: "SENDING", completedAt: null }, now)
        yield* store.setOpen(project, id, true)
        yield* reopenGoal(sql, project, id)
      }
      yield* transaction.afterCommit(mail.wake)
      return { retried, status: "SENDING" as const }
    }, transaction.run)

    const test = Effect.fn("Campaigns.test")(function* (project: ProjectId, id: CampaignId, input: TestCampaign) {
      const campaign = yield* asVariant(yield* find(project, id), input.variant)
      const { templateId, templateVersion } = campaign
      const variant = input.variant ?? null
      const origin = { sourceType: "CAMPAIGN", campaignId: id, templateId, templateVersion, variant } as const
      return yield* tests.send(project, { ...campaign, origin }, input)
    }, transaction.run)

    const requestApproval = Effect.fn("Campaigns.requestApproval")(function* (
      project: ProjectId,
      id: CampaignId,
      { note }: RequestApproval
    ) {
      const campaign = yield* lock(project, id)
      if (yield* approvals.request(project, campaign, note)) {
        yield* record(project, campaign, "approval_requested")
        yield* store.recordApproval(project, id, "campaign.approval_requested", yield* DateTime.now)
      }
      return yield* reread(project, id)
    }, transaction.run)

    const decide = Effect.fnUntraced(function* (
      project: ProjectId,
      id: CampaignId,
      decision: "APPROVED" | "REJECTED",
      { note }: ApproveCampaign
    ) {
      const campaign = yield* lock(project, id)
      if (yield* approvals.decide(project, campaign, decision, note)) {
        const action = decision === "APPROVED" ? "approved" : "rejected"
        yield* record(project, campaign, action)
        yield* store.recordApproval(project, id, `campaign.${action}`, yield* DateTime.now)
      }
      return yield* reread(project, id)
    }, transaction.run)

    const stats = Effect.fn("Campaigns.stats")(function* (project: ProjectId, id: CampaignId) {
      const counters = yield* store.counters(project, id)
      if (Option.isNone(counters)) return yield* new CampaignNotFound({ id })
      const conversions = yield* store.conversions(project, id)
      const uplift = upliftOf(counters.value, yield* store.reached(project, id))
      return { ...counters.value, ...conversions, ...rates(counters.value, conversions), uplift }
    })

    const links = Effect.fn("Campaigns.links")(function* (
      project: ProjectId,
      id: CampaignId,
      { variant }: CampaignLinksQuery
    ) {
      const campaign = yield* find(project, id)
      const texts = textsOfVariant(campaign, variant).flatMap(textsOf)
      const found = yield* totals.links(project, id, { id, content: { texts, layout: campaign.layout } }, variant)
      return { ...found, links: found.links.map(({ live: _, ...link }) => link) }
    })

    const providers = Effect.fn("Campaigns.providers")(function* (project: ProjectId, id: CampaignId) {
      yield* find(project, id)
      return { providers: (yield* store.providers(project, id)).map(providerRates) }
    })

    const report = Effect.fn("Campaigns.report")(function* (
      project: ProjectId,
      id: CampaignId,
      query: CampaignReportQuery
    ) {
      const { sentAt } = yield* find(project, id)
      return yield* reports.report(project, id, sentAt, query)
    })

    const recipients = Effect.fn("Campaigns.recipients")(function* (
      project: ProjectId,
      id: CampaignId,
      query: RecipientQuery
    ) {
      yield* find(project, id)
      const { status, variant, search } = query
      const filter = { ...(status && { status }), ...(variant && { variant }), ...(search && { search }) }
      const scope = JSON.stringify(["recipients", project, id, status, variant, search])
      const page = yield* cursorPage(
        cursors,
        { scope, cursor: query.cursor, limit: pageSize(query) },
        {
          count: store.countRecipients(project, id, filter),
          list: (limit, after) => store.recipients(project, id, filter, limit, after),
          positionOf: ({ key }) => ({ key, id: key })
        }
      )
      return { ...page, data: page.data.map(({ recipient }) => recipient) }
    })

    return Campaigns.of({
      list,
      create,
      get,
      update,
      delete: remove,
      duplicate,
      followUp,
      send,
      setRecurrence,
      removeRecurrence,
      cancel,
      pause: (project, id) => Effect.withSpan(setPaused(project, id, true), "Campaigns.pause"),
      resume: (project, id) => Effect.withSpan(setPaused(project, id, false), "Campaigns.resume"),
      retryFailed,
      test,
      experiment: experiments.figures,
      decideExperiment: (project, id, { variant }) => experiments.choose(project, id, variant),
      requestApproval,
      approve: (project, id, input) => Effect.withSpan(decide(project, id, "APPROVED", input), "Campaigns.approve"),
      reject: (project, id, input) =>
        // Only an approval can be refused to the one who asked.
        decide(project, id, "REJECTED", input).pipe(
          Effect.catchTag("FORBIDDEN", (error) => Effect.die(error)),
          Effect.withSpan("Campaigns.reject")
        ),
      stats,
      links,
      providers,
      report,
      recipients
    })
  })
)

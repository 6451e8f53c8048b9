/** Starts the sending of a campaign, by a request or by its schedule. */

import type { BillingLimitExceeded } from "@posthorn/contract/accounts/billing/Billing"
import type { Campaign, CampaignId, StatusReason } from "@posthorn/contract/automation/campaigns/Campaign"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Billing } from "../../accounts/billing/Billing.ts"
import { campaignRefusedEmail } from "../../accounts/billing/BillingEmails.ts"
import { Accounts } from "../../accounts/people/Accounts.ts"
import { Projects } from "../../accounts/projects/Projects.ts"
import { SystemMail } from "../../accounts/systemmail/SystemMail.ts"
import * as Audiences from "../../audience/segments/Audiences.ts"
import { AudienceRules } from "../../audience/settings/AudienceRules.ts"
import { SenderDomains } from "../../content/templates/SenderDomains.ts"
import { tracks } from "../../mail/tracking/TrackingMode.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import { consentOf, treeOf } from "./CampaignContents.ts"
import { CampaignStore } from "./CampaignStore.ts"
import { timingOf } from "./CampaignTiming.ts"
import { closeGoals } from "./goals/GoalSql.ts"

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const store = yield* CampaignStore
  const accounts = yield* Accounts
  const audiences = yield* Audiences.make
  const billing = yield* Billing
  const domains = yield* SenderDomains
  const { campaigns: wakeup } = yield* Wakeups
  const mail = yield* SystemMail
  const projects = yield* Projects
  const rules = yield* AudienceRules
  const transaction = yield* Transaction

  /** Fixes audience and text, in the transaction that starts the sending. */
  const freeze = Effect.fn("CampaignStarts.freeze")(function* (
    projectId: ProjectId,
    campaign: Campaign,
    now: DateTime.Utc
  ) {
    const project = yield* Effect.orDie(projects.get(projectId))
    const audience = yield* audiences.of(projectId, treeOf(campaign), now)
    const topic = yield* store.topic(projectId, campaign.topicId)
    const { pages } = yield* rules.get(projectId)
    return yield* store.freeze(projectId, campaign, audience, consentOf(campaign.type, topic), {
      tracking: tracks(project.tracking, campaign.type),
      projectName: project.name,
      language: project.language,
      preferencesUrl: pages.preferencesUrl,
      timing: timingOf(campaign.delivery, campaign.startsAt, now)
    })
  })

  /** Why the campaign must not be sent. Undefined if it may be sent. */
  const obstacle = Effect.fnUntraced(function* (
    project: ProjectId,
    campaign: Campaign
  ): Effect.fn.Return<StatusReason | undefined> {
    const { disabled } = yield* Effect.orDie(projects.get(project))
    if (disabled !== null) return "PROJECT_DISABLED"
    const verified = yield* Effect.exit(domains.requireVerified(project, campaign.from))
    return verified._tag === "Failure" ? "DOMAIN_NOT_VERIFIED" : undefined
  })

  /** Locks the campaign if it is due. */
  const lockDue = Effect.fnUntraced(function* (project: ProjectId, id: CampaignId, now: DateTime.Utc) {
    const campaign = Option.getOrUndefined(yield* store.lock(project, id))
    if (campaign?.status !== "SCHEDULED" || campaign.startsAt === null) return undefined
    return DateTime.isGreaterThan(campaign.startsAt, now) ? undefined : campaign
  })

  const cancel = (project: ProjectId, id: CampaignId, statusReason: StatusReason, now: DateTime.Utc) =>
    store.setState(
      project,
      id,
      { status: "CANCELLED", statusReason, scheduledFor: null, startsAt: null, completedAt: now },
      now
    )

  /** Ends a campaign without recipients, whose audience is fixed. Its holdout is still looked at until its goal ends. */
  const endEmpty = Effect.fnUntraced(function* (project: ProjectId, id: CampaignId, now: DateTime.Utc) {
    yield* store.setOpen(project, id, false)
    yield* store.setState(project, id, { status: "SENT", sentAt: now, completedAt: now }, now)
    yield* closeGoals(sql, sql`select ${project}::uuid as project_id, ${id}::uuid as id`)
  })

  const start = Effect.fnUntraced(function* (project: ProjectId, id: CampaignId) {
    const now = yield* DateTime.now
    const campaign = yield* lockDue(project, id, now)
    if (campaign === undefined) return
    const statusReason = yield* obstacle(project, campaign)
    if (statusReason !== undefined) return yield* cancel(project, id, statusReason, now)
    const { recipients } = yield* freeze(project, campaign, now)
    if (recipients === 0) return yield* endEmpty(project, id, now)
    yield* billing.charge(project, "campaigns", recipients)
    // Mail at local time waits for the wall clock of `scheduledFor`.
    const times = campaign.delivery?.localTime == null ? { scheduledFor: null, startsAt: null } : {}
    yield* store.setState(project, id, { status: "SENDING", sentAt: now, ...times }, now)
    yield* transaction.afterCommit(wakeup.wake)
  }, transaction.run)

  /**
   * Cancels a campaign that would exceed a cap, and notifies the administrators. The failed `start` was rolled back.
   */
  const refuse = Effect.fnUntraced(function* (project: ProjectId, id: CampaignId, excess: BillingLimitExceeded) {
    const now = yield* DateTime.now
    const campaign = yield* lockDue(project, id, now)
    if (campaign === undefined) return
    yield* cancel(project, id, "BILLING_LIMIT", now)
    const { name } = yield* Effect.orDie(projects.get(project))
    yield* mail.post((yield* accounts.administrators(project)).map(campaignRefusedEmail(name, campaign.name, excess)))
  }, transaction.run)

  /**
   * Starts sending a due campaign. One with an empty audience becomes SENT at once, one that must not be sent is
   * cancelled. Does nothing if the campaign is no longer due.
   */
  const startDue = Effect.fn("CampaignStarts.startDue")((project: ProjectId, id: CampaignId) =>
    Effect.catchTag(start(project, id), "BILLING_LIMIT_EXCEEDED", (excess) => refuse(project, id, excess))
  )

  return { freeze, endEmpty, startDue }
})

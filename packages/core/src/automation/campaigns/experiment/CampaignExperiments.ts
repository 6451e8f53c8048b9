/**
 * Experiments of campaigns. The variants are tried on a part of the audience. When the time has come, one transaction on
 * the row of the campaign decides, and lets the rest of the audience have the mail of the winner.
 */
import { type Campaign, type CampaignId, CampaignNotFound } from "@posthorn/contract/automation/campaigns/Campaign"
import {
  type CampaignExperiment,
  type CampaignExperimentState,
  type ExperimentFigures,
  type VariantKey,
  variantKeys
} from "@posthorn/contract/automation/campaigns/CampaignExperiment"
import type { DecidedBy } from "@posthorn/contract/automation/workflows/SplitExperiment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict, ResourceNotFound, ValidationError } from "@posthorn/contract/platform/Errors"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../../accounts/people/Accounts.ts"
import { Projects } from "../../../accounts/projects/Projects.ts"
import { inSubject, inText } from "../../../accounts/systemmail/Names.ts"
import { SystemMail, systemEmail, type UnaddressedEmail } from "../../../accounts/systemmail/SystemMail.ts"
import { acting, recorded } from "../../../platform/audit/Audited.ts"
import { failpoint } from "../../../platform/Failpoint.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import { Wakeups } from "../../../platform/Wakeups.ts"
import { compare, type VariantComparison, type VariantCount } from "../../experiments/Proportions.ts"
import { CampaignStore } from "../CampaignStore.ts"
import * as ExperimentSql from "./ExperimentSql.ts"

/** With less of the test gone, the decision waits, for `maxLateHours` at most. */
const enough = 0.9
const maxLateHours = 24

/** How long the service waits for the choice of a person. */
const maxChoiceDays = 7

const chooseEmail = (project: string, campaign: string): UnaddressedEmail =>
  systemEmail(
    `${inSubject(`The experiment of ${campaign}`, "An experiment")} waits for a decision`,
    `The variants of the campaign ${inText(campaign)} of the project ${inText(project)} were tried. Nobody but its test has its mail yet.`,
    `Choose the variant for the rest in the console, or with \`posthorn campaigns experiment <id> --winner B\`, within ${maxChoiceDays} days. After that, the rest gets no mail.`
  )

const comparisonOf = (
  { variants, confidence }: CampaignExperiment,
  counts: ReadonlyArray<VariantCount>
): VariantComparison => {
  const byKey = new Map(counts.map((each) => [each.key, each]))
  return compare(
    variants.map(({ key }) => byKey.get(key) ?? { key, sent: 0, successes: 0 }),
    confidence
  )
}

/** What the figures decide. Undefined if a person chooses. */
const choiceOf = (
  { winner, fallback }: CampaignExperiment,
  { leader, significant }: VariantComparison
): VariantKey | undefined => {
  if (winner === "MANUAL") return undefined
  if (significant || fallback === "BEST") return variantKeys.find((key) => key === leader)
  return fallback === "CONTROL" ? "A" : undefined
}

const isOpen = (state: CampaignExperimentState | null) => state === "TESTING" || state === "WAITING"

const systemDecides: DecidedBy = { kind: "AUTOMATIC", userId: null }

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const store = yield* ExperimentSql.make
  const accounts = yield* Accounts
  const campaigns = yield* CampaignStore
  const mail = yield* SystemMail
  const projects = yield* Projects
  const transaction = yield* Transaction
  const { campaigns: wakeup } = yield* Wakeups
  const audit = recorded(sql)

  const decide = Effect.fnUntraced(function* (
    project: ProjectId,
    { id, name }: Pick<Campaign, "id" | "name">,
    winner: VariantKey,
    decidedBy: DecidedBy,
    { significant, variants }: VariantComparison,
    now: DateTime.Utc
  ) {
    const counts = variants.map(({ key, sent, successes }) => ({ key, sent, successes }))
    yield* store.decide(project, id, { winner, decidedBy, significant, counts }, now)
    yield* store.release(project, id, { variant: winner }, now)
    yield* audit({ project, action: "experiment.decided", details: { campaignId: id, name, winner, significant } })
    yield* transaction.afterCommit(wakeup.wake)
    yield* failpoint("after_experiment_decision")
  })

  const askPeople = Effect.fnUntraced(function* (
    project: ProjectId,
    { id, name }: Pick<Campaign, "id" | "name">,
    now: DateTime.Utc
  ) {
    yield* store.setState(project, id, "WAITING", DateTime.add(now, { days: maxChoiceDays }), now)
    const { name: projectName } = yield* Effect.orDie(projects.get(project))
    yield* mail.post((yield* accounts.administrators(project)).map(chooseEmail(projectName, name)))
  })

  const abandon = Effect.fnUntraced(function* (project: ProjectId, id: CampaignId, now: DateTime.Utc) {
    yield* store.setState(project, id, "ABANDONED", null, now)
    // Their charges are given back when their mails are made, as CANCELLED.
    yield* store.release(project, id, { ended: "experiment_abandoned" }, now)
    yield* transaction.afterCommit(wakeup.wake)
  })

  /** Does what is due for the experiment. Nothing if another process was faster. */
  const settle = Effect.fn("CampaignExperiments.settle")(function* (project: ProjectId, id: CampaignId) {
    const campaign = Option.getOrUndefined(yield* campaigns.lock(project, id))
    const found = Option.getOrUndefined(yield* store.find(project, id))
    const now = yield* DateTime.now
    if (campaign === undefined || found === undefined) return
    const { experiment, state, decideAt, lookAt } = found
    if (lookAt === null || decideAt === null || DateTime.isGreaterThan(lookAt, now)) return
    if (state === "WAITING") return yield* abandon(project, id, now)
    const last = DateTime.add(decideAt, { hours: maxLateHours })
    const { tested, left } = yield* store.progress(project, id)
    if (left < enough * tested && DateTime.isLessThan(now, last)) {
      const next = DateTime.min(DateTime.add(now, { minutes: 1 }), last)
      return yield* store.setState(project, id, "TESTING", next, now)
    }
    const comparison = comparisonOf(experiment, yield* store.counts(project, id, experiment.metric))
    const choice = choiceOf(experiment, comparison)
    yield* choice === undefined
      ? askPeople(project, campaign, now)
      : decide(project, campaign, choice, systemDecides, comparison, now)
  }, transaction.run)

  const found = Effect.fnUntraced(function* (project: ProjectId, id: CampaignId) {
    const found = yield* store.find(project, id)
    if (Option.isSome(found)) return found.value
    if (Option.isNone(yield* campaigns.find(project, id))) return yield* new CampaignNotFound({ id })
    return yield* new ResourceNotFound({ resource: "experiment", id })
  })

  const figures = Effect.fn("CampaignExperiments.figures")(function* (
    project: ProjectId,
    id: CampaignId
  ): Effect.fn.Return<ExperimentFigures, CampaignNotFound | ResourceNotFound> {
    const { experiment, state, decideAt, result } = yield* found(project, id)
    const counts = result?.counts ?? (yield* store.counts(project, id, experiment.metric))
    const { leader: _, significant, ...comparison } = comparisonOf(experiment, counts)
    return {
      state,
      metric: experiment.metric,
      decideAt,
      final: result !== null,
      winner: result?.winner ?? null,
      decidedBy: result?.decidedBy ?? null,
      significant: result?.significant ?? significant,
      ...comparison
    }
  })

  const choose = Effect.fn("CampaignExperiments.choose")(function* (
    project: ProjectId,
    id: CampaignId,
    wanted: string
  ): Effect.fn.Return<ExperimentFigures, CampaignNotFound | Conflict | ResourceNotFound | ValidationError> {
    const campaign = Option.getOrUndefined(yield* campaigns.lock(project, id))
    if (campaign === undefined) return yield* new CampaignNotFound({ id })
    const { experiment, state, result } = yield* found(project, id)
    const variant = experiment.variants.find(({ key }) => key === wanted)?.key
    if (variant === undefined) {
      return yield* ValidationError.one("variant", "custom", "The campaign has no such variant.")
    }
    if (result?.winner === variant) return yield* figures(project, id)
    if (!isOpen(state)) {
      return yield* new Conflict({
        reason: "experiment_state",
        allowed: ["TESTING", "WAITING"],
        ...(state !== null && { status: state })
      })
    }
    const { user } = yield* acting
    const decidedBy: DecidedBy = { kind: user === null ? "KEY" : "USER", userId: user }
    const comparison = comparisonOf(experiment, yield* store.counts(project, id, experiment.metric))
    yield* decide(project, campaign, variant, decidedBy, comparison, yield* DateTime.now)
    return yield* figures(project, id)
  }, transaction.run)

  return { due: store.due, settle, figures, choose }
})

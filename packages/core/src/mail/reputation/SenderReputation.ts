/** Evaluates the bounce and complaint rates of projects, and warns about or disables them. */

import type { SecurityState, StandingLevel, StandingMetric } from "@posthorn/contract/accounts/projects/Security"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { ResourceNotFound } from "@posthorn/contract/platform/Errors"
import { DateTime, Duration, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { Accounts } from "../../accounts/people/Accounts.ts"
import { Projects } from "../../accounts/projects/Projects.ts"
import { Suspensions } from "../../accounts/projects/Suspensions.ts"
import { SystemMail } from "../../accounts/systemmail/SystemMail.ts"
import type { NextDue } from "../../platform/jobs/Agenda.ts"
import { Settings } from "../../platform/Settings.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { warningEmail } from "./ReputationEmails.ts"
import * as SenderReputationSql from "./SenderReputationSql.ts"
import { levelOf, metrics, minimumEmails, rate, type Share, thresholds } from "./Thresholds.ts"

export interface SenderReputation {
  readonly get: (project: ProjectId) => Effect.Effect<SecurityState, ResourceNotFound>
  /** Queues an evaluation of the project, after a bounce or a complaint. Joins the caller's transaction. */
  readonly changed: (project: ProjectId, now: DateTime.Utc) => Effect.Effect<void>
  /** Evaluates the projects with a queued evaluation. */
  readonly evaluateChanged: Effect.Effect<void>
  /** Whether `evaluateChanged` has work. */
  readonly nextChanged: NextDue
  /** Evaluates every enabled project that sent mail lately. */
  readonly evaluateAll: Effect.Effect<void>
}

const recentSuspensions = 20

/** A project that sent nothing for this long is not evaluated again. */
const activeWithin = Duration.days(8)

const shares = (counts: SenderReputationSql.Counts): { readonly [Metric in StandingMetric]: Share } => ({
  bounce7Day: { count: counts.bounces7Day, emails: counts.sent7Day },
  bounceAllTime: { count: counts.bouncesAllTime, emails: counts.sentAllTime },
  complaint7Day: { count: counts.complaints7Day, emails: counts.sent7Day },
  complaintAllTime: { count: counts.complaintsAllTime, emails: counts.sentAllTime }
})

const decimals = (metric: StandingMetric) => (metric.startsWith("bounce") ? 2 : 3)

const perMetric = <A>(valueOf: (metric: StandingMetric) => A) => ({
  bounce7Day: valueOf("bounce7Day"),
  bounceAllTime: valueOf("bounceAllTime"),
  complaint7Day: valueOf("complaint7Day"),
  complaintAllTime: valueOf("complaintAllTime")
})

/** Levels and rates of the counts. */
const judge = (counts: SenderReputationSql.Counts) => {
  const of = shares(counts)
  const levels = perMetric((metric) => levelOf(metric, of[metric]))
  const rates = perMetric((metric) => rate(of[metric], decimals(metric)))
  const at = (level: StandingLevel) => metrics.filter((metric) => levels[metric] === level)
  return { levels, rates, violations: at("critical"), warnings: at("warning") }
}

export type Needs = Accounts | Projects | SqlClient.SqlClient | Suspensions | SystemMail | Transaction

export const make: Effect.Effect<SenderReputation, never, Needs> = Effect.gen(function* () {
  const store = yield* SenderReputationSql.make
  const projects = yield* Projects
  const accounts = yield* Accounts
  const mail = yield* SystemMail
  const suspensions = yield* Suspensions
  const transaction = yield* Transaction
  const { autoSuspend } = yield* Settings

  const get = Effect.fn("SenderReputation.get")(function* (project: ProjectId) {
    const { disabled } = yield* projects.get(project)
    const counts = yield* store.counts(project, yield* DateTime.now)
    const { levels, rates, violations, warnings } = judge(counts)
    return {
      status: {
        sent7Day: counts.sent7Day,
        bounces7Day: counts.bounces7Day,
        complaints7Day: counts.complaints7Day,
        bounceRate7Day: rates.bounce7Day,
        complaintRate7Day: rates.complaint7Day,
        sentAllTime: counts.sentAllTime,
        bounceRateAllTime: rates.bounceAllTime,
        complaintRateAllTime: rates.complaintAllTime,
        violations,
        warnings
      },
      levels,
      thresholds: {
        ...perMetric((metric) => ({ warning: thresholds[metric].warning, critical: thresholds[metric].critical })),
        minimumEmails
      },
      isDisabled: disabled !== null,
      disabledReason: disabled,
      recentSuspensions: yield* store.suspensions(project, recentSuspensions)
    }
  })

  /** At most one mail for each metric and day. */
  const warn = Effect.fnUntraced(function* (
    project: ProjectId,
    name: string,
    measured: { readonly metric: StandingMetric; readonly value: number },
    critical: boolean
  ) {
    const isFirst = yield* store.firstWarning(project, measured.metric, yield* DateTime.now)
    if (!isFirst) return
    yield* mail.post((yield* accounts.administrators(project)).map(warningEmail(name, measured, critical)))
  }, transaction.run)

  const evaluate = Effect.fn("SenderReputation.evaluate")(function* (project: ProjectId) {
    const { disabled, name } = yield* projects.get(project)
    if (disabled !== null) return
    const { rates, violations, warnings } = judge(yield* store.counts(project, yield* DateTime.now))
    const measured = (metric: StandingMetric) => ({ metric, value: rates[metric] })
    const [worst] = violations
    if (worst !== undefined && autoSuspend) {
      return yield* suspensions.suspend(project, { reason: "EMAIL_REPUTATION", measured: measured(worst) })
    }
    for (const metric of [...violations, ...warnings]) {
      yield* warn(project, name, measured(metric), violations.includes(metric))
    }
  })

  /** A failure of one project does not stop the others. The project is queued again. */
  const each = (project: ProjectId) =>
    evaluate(project).pipe(
      Effect.catch(() => Effect.void),
      Effect.catchDefect((defect) =>
        Effect.andThen(
          Effect.logError("The reputation of a project could not be evaluated", defect),
          Effect.flatMap(DateTime.now, (now) => store.markChanged(project, now))
        )
      )
    )

  const evaluateChanged = Effect.flatMap(store.takeChanged, (ids) => Effect.forEach(ids, each, { discard: true }))

  const evaluateAll = Effect.gen(function* () {
    const since = DateTime.subtractDuration(yield* DateTime.now, activeWithin)
    yield* Effect.forEach(yield* store.active(since), each, { discard: true })
  })

  return {
    get,
    changed: store.markChanged,
    nextChanged: store.nextChanged,
    evaluateChanged,
    evaluateAll
  } satisfies SenderReputation
})

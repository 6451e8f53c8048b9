/** The periodic jobs of a worker, one row for each job. */
import { DateTime, Duration, Effect, Layer } from "effect"
import { Subscriptions } from "../accounts/billing/Subscriptions.ts"
import { sendWarnings } from "../accounts/billing/Warnings.ts"
import { SignIn } from "../accounts/people/SignIn.ts"
import { sendExpiryEmails } from "../accounts/projects/ApiKeyEmails.ts"
import { evaluateAllSegments, evaluateEvery } from "../audience/segments/SegmentJobs.ts"
import { Suppressions } from "../audience/suppression/Suppressions.ts"
import { updateTotals } from "../insight/analytics/Totals.ts"
import { checkAllDomains, checkEvery } from "../mail/domains/DomainCheckJob.ts"
import { LinkHosts } from "../mail/domains/LinkHosts.ts"
import { Receivers } from "../mail/receivers/Receivers.ts"
import { SenderReputation } from "../mail/reputation/SenderReputation.ts"
import { SystemMailSender } from "../mail/sending/SystemMailSender.ts"
import { tryEvery, tryFailing } from "../mail/transports/TransportHealth.ts"
import { untilItSucceeds } from "../platform/Backoff.ts"
import { IdempotencyKeys } from "../platform/http/IdempotencyKeys.ts"
import { JobQueue } from "../platform/jobs/JobQueue.ts"
import { scheduled } from "../platform/jobs/PeriodicJobs.ts"
import { Mailer } from "../platform/Mailer.ts"
import { disableFailing, sweepDeliveries } from "../webhooks/EndpointHealth.ts"
import { OwnProjects } from "./projects/OwnProjects.ts"
import { nextNight, retain } from "./retention/Retention.ts"
import { SecretRotation } from "./secrets/SecretRotation.ts"

/** Deletes expired keys, which no longer have an effect. */
const sweepIdempotencyKeys = Effect.gen(function* () {
  const keys = yield* IdempotencyKeys
  yield* keys.sweep(yield* DateTime.now)
})

/** Records of jobs are kept for 30 days. */
const sweepJobRecords = Effect.gen(function* () {
  const queue = yield* JobQueue
  yield* queue.sweep(DateTime.subtractDuration(yield* DateTime.now, Duration.days(30)))
})

const sweepNotifications = Effect.gen(function* () {
  yield* (yield* Receivers).sweep
  yield* (yield* Suppressions).sweep
})

const sendSystemMail = Effect.gen(function* () {
  const sender = yield* SystemMailSender
  const { send } = yield* Mailer
  yield* sender.drain(send)
})

const rotate = SecretRotation.use((rotation) => rotation.rotate)

/** Retries until it has succeeded once in this process. */
const onceAtStart = <A, R>(name: string, effect: Effect.Effect<A, never, R>) =>
  effect.pipe(
    Effect.sandbox,
    Effect.tapError((cause) => Effect.logError("Job failed", cause)),
    Effect.retry(untilItSucceeds),
    Effect.annotateLogs({ job: name })
  )

/** Seals everything with the current secret, at the start and daily: processes with the previous one may still run. */
export const rotation = Layer.merge(
  Layer.effectDiscard(Effect.forkScoped(onceAtStart("secrets", rotate))),
  scheduled([{ name: "secrets", every: Duration.days(1), run: rotate }])
)

export const segments = scheduled([{ name: "segments", every: evaluateEvery, run: evaluateAllSegments }])

export const maintenance = scheduled([
  {
    name: "domain-check",
    every: checkEvery,
    run: Effect.ensuring(
      checkAllDomains,
      LinkHosts.use((hosts) => hosts.checkAll)
    )
  },
  { name: "idempotency-keys", every: Duration.hours(1), run: sweepIdempotencyKeys },
  { name: "job-records", every: Duration.hours(1), run: sweepJobRecords }
])

export const reputation = scheduled([
  // Three times a minute, so that a bounce is evaluated within one.
  { name: "security-changed", every: Duration.seconds(20), run: SenderReputation.use((all) => all.evaluateChanged) },
  { name: "security-all", every: Duration.hours(1), run: SenderReputation.use((all) => all.evaluateAll) },
  { name: "system-mail", every: Duration.seconds(10), run: sendSystemMail }
])

const others = scheduled([
  {
    name: "billing-meter",
    every: Duration.minutes(1),
    run: Subscriptions.use((subscriptions) => subscriptions.reportUsage)
  },
  { name: "api-key-expiry", every: Duration.days(1), run: sendExpiryEmails },
  { name: "billing-warnings", every: Duration.minutes(15), run: sendWarnings },
  { name: "notification-receipts", every: Duration.days(1), run: sweepNotifications },
  {
    name: "parked-notifications",
    every: Duration.minutes(1),
    run: Receivers.use((receivers) => receivers.retryParked)
  },
  { name: "project-wipes", every: Duration.seconds(10), run: OwnProjects.use((projects) => projects.wipeAll) },
  // Daily at 03:00 UTC.
  {
    name: "retention",
    every: Duration.days(1),
    next: nextNight,
    run: retain
  },
  { name: "sign-in", every: Duration.hours(1), run: SignIn.use((signIn) => signIn.sweep) },
  { name: "transports-failing", every: tryEvery, run: tryFailing },
  { name: "totals", every: Duration.minutes(1), run: updateTotals },
  { name: "webhook-deliveries", every: Duration.days(1), run: sweepDeliveries },
  { name: "webhooks-failing", every: Duration.minutes(1), run: disableFailing }
])

export const layer = Layer.mergeAll(rotation, segments, maintenance, reputation, others)

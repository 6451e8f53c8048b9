/** The periodic jobs of a worker, one row for each job. The services that they call are made once. */
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Subscriptions } from "../accounts/billing/Subscriptions.ts"
import { sendWarnings } from "../accounts/billing/Warnings.ts"
import { SignIn } from "../accounts/people/SignIn.ts"
import { sendExpiryEmails } from "../accounts/projects/ApiKeyEmails.ts"
import { SystemMail } from "../accounts/systemmail/SystemMail.ts"
import * as Consents from "../audience/consents/Consents.ts"
import { FormSubmissions } from "../audience/forms/FormSubmissions.ts"
import * as HeldMessages from "../audience/ingest/HeldMessages.ts"
import * as OptIns from "../audience/optins/OptIns.ts"
import * as PrivacyRequests from "../audience/privacy/PrivacyRequests.ts"
import * as SegmentJobs from "../audience/segments/SegmentJobs.ts"
import { Suppressions } from "../audience/suppression/Suppressions.ts"
import * as Executions from "../automation/workflows/executions/Executions.ts"
import * as WorkflowReports from "../automation/workflows/report/WorkflowReports.ts"
import { RunStore } from "../automation/workflows/run/RunStore.ts"
import * as SplitExperiments from "../automation/workflows/SplitExperiments.ts"
import { updateTotals } from "../insight/analytics/Totals.ts"
import * as ReportStore from "../mail/dmarc/ReportStore.ts"
import { checkAllDomains, checkEvery } from "../mail/domains/DomainCheckJob.ts"
import { watchAll, watchEvery } from "../mail/domains/health/HealthChanges.ts"
import * as Refusals from "../mail/domains/health/Refusals.ts"
import { LinkHosts } from "../mail/domains/LinkHosts.ts"
import { Receivers } from "../mail/receivers/Receivers.ts"
import * as RecipientDomains from "../mail/recipients/RecipientDomains.ts"
import * as SenderReputation from "../mail/reputation/SenderReputation.ts"
import { SystemMailSender } from "../mail/sending/SystemMailSender.ts"
import * as ShapingJobs from "../mail/shaping/ShapingJobs.ts"
import { tryEvery, tryFailing } from "../mail/transports/TransportHealth.ts"
import * as Warmups from "../mail/warmup/Warmups.ts"
import { untilItSucceeds } from "../platform/Backoff.ts"
import { IdempotencyKeys } from "../platform/http/IdempotencyKeys.ts"
import { JobQueue } from "../platform/jobs/JobQueue.ts"
import { scheduled } from "../platform/jobs/PeriodicJobs.ts"
import { Mailer } from "../platform/Mailer.ts"
import { disableFailing, sweepDeliveries } from "../webhooks/EndpointHealth.ts"
import * as OwnProjects from "./projects/OwnProjects.ts"
import { keepPartitions, nextNight, retain } from "./retention/Retention.ts"
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

/** Runs at the start of each process, beside its schedule. */
const atStart = Layer.mergeAll(
  // Seals everything with the current secret: processes with the previous one may still run.
  Layer.effectDiscard(Effect.forkScoped(onceAtStart("secrets", rotate))),
  // Stores domains that are known without DNS.
  Layer.effectDiscard(Effect.forkScoped(onceAtStart("known-domains", RecipientDomains.storeKnown)))
)

export const rotation = [{ name: "secrets", every: Duration.days(1), run: rotate }] as const

export const segments = [
  { name: "segments", every: SegmentJobs.evaluateEvery, run: SegmentJobs.evaluateAllSegments }
] as const

export const maintenance = [
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
] as const

export const reputation = Effect.gen(function* () {
  const standing = yield* SenderReputation.make
  const systemMail = yield* SystemMail
  return [
    // Three times a minute, so that a bounce is evaluated within one.
    {
      name: "security-changed",
      every: Duration.seconds(20),
      run: standing.evaluateChanged,
      work: standing.nextChanged
    },
    { name: "security-all", every: Duration.hours(1), run: standing.evaluateAll },
    { name: "system-mail", every: Duration.seconds(10), run: sendSystemMail, work: systemMail.nextDue }
  ] as const
})

const workflows = Effect.gen(function* () {
  const executions = yield* Executions.make
  const experiments = yield* SplitExperiments.make
  const store = yield* RunStore
  return [
    { name: "long-disabled-executions", every: Duration.hours(1), run: executions.cancelLongDisabled },
    { name: "split-experiments", every: Duration.minutes(5), run: experiments.judge },
    { name: "workflow-decisions", every: Duration.hours(1), run: store.deleteDecisions },
    { name: "workflow-recount", every: Duration.days(1), next: nextNight, run: WorkflowReports.recount }
  ] as const
})

const others = Effect.gen(function* () {
  const consents = yield* Consents.make
  const optIns = yield* OptIns.make
  const privacyRequests = yield* PrivacyRequests.make
  const projects = yield* OwnProjects.make
  const warmups = yield* Warmups.make
  const sql = yield* SqlClient.SqlClient
  return [
    {
      name: "billing-meter",
      every: Duration.minutes(1),
      run: Subscriptions.use((subscriptions) => subscriptions.reportUsage)
    },
    { name: "partitions", every: Duration.hours(1), run: keepPartitions },
    { name: "domain-health", every: watchEvery, run: watchAll },
    { name: "api-key-expiry", every: Duration.days(1), run: sendExpiryEmails },
    { name: "form-tickets", every: Duration.hours(1), run: FormSubmissions.use((forms) => forms.sweep) },
    { name: "billing-warnings", every: Duration.minutes(15), run: sendWarnings },
    { name: "notification-receipts", every: Duration.days(1), run: sweepNotifications },
    { name: "opt-ins", every: Duration.minutes(5), run: optIns.advance },
    { name: "privacy-requests", every: Duration.minutes(5), run: privacyRequests.advance },
    {
      name: "parked-notifications",
      every: Duration.minutes(1),
      run: Receivers.use((receivers) => receivers.retryParked)
    },
    { name: "project-wipes", every: Duration.seconds(10), run: projects.wipeAll, work: projects.nextWipe },
    // Daily at 03:00 UTC.
    { name: "opt-ins-unconfirmed", every: Duration.days(1), next: nextNight, run: optIns.sweep },
    { name: "consents", every: Duration.days(1), next: nextNight, run: consents.sweep },
    { name: "privacy-requests-kept", every: Duration.days(1), next: nextNight, run: privacyRequests.sweep },
    { name: "held-messages", every: Duration.days(1), next: nextNight, run: HeldMessages.sweep },
    {
      name: "domain-reports",
      every: Duration.days(1),
      next: nextNight,
      run: Effect.all([ReportStore.sweep, Refusals.sweep, RecipientDomains.sweep, ShapingJobs.sweep], { discard: true })
    },
    {
      name: "retention",
      every: Duration.days(1),
      next: nextNight,
      run: retain
    },
    { name: "known-domains", every: Duration.hours(1), run: RecipientDomains.storeKnown },
    {
      name: "recipient-domains",
      every: RecipientDomains.resolveEvery,
      run: RecipientDomains.resolveWanted,
      work: RecipientDomains.wanted(sql)
    },
    { name: "shaping", every: ShapingJobs.advanceEvery, run: ShapingJobs.advance, work: ShapingJobs.nextRecovery(sql) },
    { name: "sign-in", every: Duration.hours(1), run: SignIn.use((signIn) => signIn.sweep) },
    { name: "transports-failing", every: tryEvery, run: tryFailing },
    { name: "totals", every: Duration.minutes(1), run: updateTotals },
    { name: "warmups", every: Duration.minutes(1), run: warmups.advance },
    { name: "webhook-deliveries", every: Duration.days(1), run: sweepDeliveries },
    { name: "webhooks-failing", every: Duration.minutes(1), run: disableFailing }
  ] as const
})

const all = Effect.gen(function* () {
  const made = [...(yield* reputation), ...(yield* workflows), ...(yield* others)] as const
  return scheduled([...rotation, ...segments, ...maintenance, ...made])
})

export const layer = Layer.mergeAll(atStart, SegmentJobs.layer, Layer.unwrap(all))

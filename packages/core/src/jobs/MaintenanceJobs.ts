/** What a worker does beside sending, from time to time: every job has its line here (contract-2 18). */
import { DateTime, Duration, Effect, Layer } from "effect"
import { untilItSucceeds } from "../Backoff.ts"
import type { DkimKeys } from "../domains/DkimKeys.ts"
import { renewSealedKeys } from "../domains/DkimKeysRenewal.ts"
import { checkAllDomains, checkEvery, type Needs as DomainCheckNeeds } from "../domains/DomainCheckJob.ts"
import { IdempotencyKeys } from "../http/IdempotencyKeys.ts"
import { evaluateAllSegments, evaluateEvery, type Needs as SegmentNeeds } from "../segments/SegmentJobs.ts"
import { JobQueue } from "./JobQueue.ts"
import { PeriodicJobs } from "./PeriodicJobs.ts"

/** Expired keys are not believed anyway; this is for the room they take. */
const sweepIdempotencyKeys = Effect.gen(function* () {
  const keys = yield* IdempotencyKeys
  yield* keys.sweep(yield* DateTime.now)
})

/** Records are kept for 30 days (contract-1 12.13). */
const sweepJobRecords = Effect.gen(function* () {
  const queue = yield* JobQueue
  yield* queue.sweep(DateTime.subtractDuration(yield* DateTime.now, Duration.days(30)))
})

/** Tried until it has succeeded once in this process. */
const onceAtStart = <A, R>(name: string, effect: Effect.Effect<A, never, R>) =>
  effect.pipe(
    Effect.sandbox,
    Effect.tapError((cause) => Effect.logError("Job failed", cause)),
    Effect.retry(untilItSucceeds),
    Effect.annotateLogs({ job: name })
  )

export const layer: Layer.Layer<
  never,
  never,
  DkimKeys | DomainCheckNeeds | IdempotencyKeys | JobQueue | PeriodicJobs | SegmentNeeds
> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { schedule } = yield* PeriodicJobs
    yield* Effect.forkScoped(onceAtStart("dkim-keys-renew", renewSealedKeys))
    yield* Effect.forkScoped(schedule({ name: "domain-check", every: checkEvery }, checkAllDomains))
    yield* Effect.forkScoped(schedule({ name: "idempotency-keys", every: Duration.hours(1) }, sweepIdempotencyKeys))
    yield* Effect.forkScoped(schedule({ name: "job-records", every: Duration.hours(1) }, sweepJobRecords))
    yield* Effect.forkScoped(schedule({ name: "segments", every: evaluateEvery }, evaluateAllSegments))
  })
)

/**
 * The background work that evaluates segments for changes caused by time alone and for missed changes. A periodic job
 * queues the projects that need it; all workers evaluate them, one project at a time.
 */
import { Cause, DateTime, Duration, Effect, Exit, Layer, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { runLoop } from "../../platform/jobs/Loop.ts"
import { QueryTimeout } from "../filters/LiveQuery.ts"
import * as SegmentRounds from "./SegmentRounds.ts"
import { type CountedSegment, SegmentStore } from "./SegmentStore.ts"
import { Segments } from "./Segments.ts"

/**
 * The time from the start of one round to the next. Together with the interval of the scheduler it stays below five
 * minutes.
 */
export const evaluateEvery = Duration.minutes(4)

/** The number of segments after which a worker renews its lease of a project. */
const batch = 10

/** For a count that no caller waits for. */
const timeout = Duration.minutes(1)

/** How often a worker looks for a project of another worker's round. */
const poll = Duration.seconds(10)

/** The services that the work needs. */
export type Needs = Segments | SegmentStore | SqlClient.SqlClient

type Result = "failed" | "timed" | "lasting"

/** A failing segment must not delay the others. */
const evaluate = Effect.fnUntraced(function* (counted: CountedSegment, { again, marks }: SegmentRounds.Round) {
  const segments = yield* Segments
  const work = Effect.provideService(segments.evaluate(counted, marks, again), QueryTimeout, timeout)
  const exit = yield* Effect.exit(work)
  if (Exit.isSuccess(exit)) return exit.value ? "timed" : "lasting"
  if (Cause.hasInterrupts(exit.cause)) return yield* Effect.failCause(exit.cause)
  const { id, projectId } = counted.segment
  yield* Effect.logError("Evaluation of a segment failed", exit.cause).pipe(
    Effect.annotateLogs({ projectId, segmentId: id })
  )
  return "failed"
})

/** The segments of one queued project. None if no project waits, else the number of segments that failed. */
const evaluateNext = Effect.gen(function* () {
  const rounds = yield* SegmentRounds.make
  const store = yield* SegmentStore
  const taken = yield* rounds.take
  if (Option.isNone(taken)) return Option.none<number>()
  const round = taken.value
  const results: Array<Result> = []
  for (const counted of yield* store.counted(round.project)) {
    results.push(yield* evaluate(counted, round))
    if (results.length % batch === 0) yield* rounds.renew(round)
  }
  const failed = results.filter((each) => each === "failed").length
  // What failed is tried again in the next round.
  yield* rounds.finish(round, failed > 0 || results.includes("timed"))
  return Option.some(failed)
})

/** One round over all projects, together with other workers. Dies at the end if a segment could not be evaluated. */
export const evaluateAllSegments: Effect.Effect<void, never, Needs> = Effect.gen(function* () {
  const { queueSome } = yield* SegmentRounds.make
  const now = yield* DateTime.now
  let next = yield* queueSome(undefined, now)
  while (Option.isSome(next)) next = yield* queueSome(next.value, now)
  let failed = 0
  let done = yield* evaluateNext
  while (Option.isSome(done)) {
    failed += done.value
    done = yield* evaluateNext
  }
  if (failed > 0) yield* Effect.die(new Error(`${failed} segments could not be evaluated.`))
}).pipe(Effect.withSpan("SegmentJobs.evaluateAllSegments"))

/** Evaluates projects that the job of any worker has queued. */
export const layer: Layer.Layer<never, never, Needs> = Layer.effectDiscard(
  Effect.forkScoped(runLoop("Evaluation of segments", Effect.map(evaluateNext, Option.isSome), Effect.sleep(poll)))
)

/** The background job that evaluates segments for changes caused by time alone and for missed changes. */
import type { Segment } from "@posthorn/contract/audience/segments/Segment"
import { Cause, Duration, Effect, Exit } from "effect"
import { QueryTimeout } from "../filters/LiveQuery.ts"
import { SegmentStore } from "./SegmentStore.ts"
import { Segments } from "./Segments.ts"

/**
 * The time from the start of one round to the next. Together with the interval of the scheduler it stays below five
 * minutes.
 */
export const evaluateEvery = Duration.minutes(4)

const pageSize = 50

/** For a count that no caller waits for. */
const timeout = Duration.minutes(1)

/** The services that the job needs. */
export type Needs = Segments | SegmentStore

/** Returns true on success. A failing segment must not delay the others. */
const evaluate = Effect.fnUntraced(function* ({ id, projectId, trackMembership, type }: Segment) {
  const { compute, refresh } = yield* Segments
  const isTracked = type === "DYNAMIC" && trackMembership
  const work = isTracked
    ? Effect.asVoid(compute(projectId, id))
    : Effect.asVoid(Effect.provideService(refresh(projectId, id), QueryTimeout, timeout))
  const exit = yield* Effect.exit(Effect.result(work))
  // A segment that was deleted or changed after the page was read is not a failure.
  if (Exit.isSuccess(exit)) return true
  if (Cause.hasInterrupts(exit.cause)) return yield* Effect.failCause(exit.cause)
  yield* Effect.logError("Evaluation of a segment failed", exit.cause).pipe(
    Effect.annotateLogs({ projectId, segmentId: id })
  )
  return false
})

/** One round over all projects. Dies at the end if a segment could not be evaluated. */
export const evaluateAllSegments: Effect.Effect<void, never, Needs> = Effect.gen(function* () {
  const store = yield* SegmentStore
  let failed = 0
  let page = yield* store.walk(pageSize)
  while (page.length > 0) {
    const evaluated = yield* Effect.forEach(page, evaluate)
    failed += evaluated.filter((each) => !each).length
    page = yield* store.walk(pageSize, page.at(-1))
  }
  if (failed > 0) yield* Effect.die(new Error(`${failed} segments could not be evaluated.`))
}).pipe(Effect.withSpan("SegmentJobs.evaluateAllSegments"))

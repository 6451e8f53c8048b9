/** The background job: what time alone changes, and whatever was missed (contract 15.6). */
import type { Segment } from "@posthorn/contract/segments/Segment"
import { Cause, Duration, Effect, Exit } from "effect"
import { Patience } from "../filters/LiveQuery.ts"
import { SegmentCompute } from "./SegmentCompute.ts"
import { SegmentStore } from "./SegmentStore.ts"

/** From the begin of a round to the next; with the time between two looks at the clock never more than five minutes. */
export const evaluateEvery = Duration.minutes(4)

const pageSize = 50

/** For a count that nobody waits for. */
const patience = Duration.minutes(1)

/** What the job needs, for those who run it. */
export type Needs = SegmentCompute | SegmentStore

/** True when it came to its end; what goes wrong with one must not keep the others waiting. */
const evaluate = Effect.fnUntraced(function* ({ id, projectId, trackMembership, type }: Segment) {
  const { compute, refresh } = yield* SegmentCompute
  const isTracked = type === "DYNAMIC" && trackMembership
  const work = isTracked
    ? Effect.asVoid(compute(projectId, id))
    : Effect.asVoid(Effect.provideService(refresh(projectId, id), Patience, patience))
  const exit = yield* Effect.exit(Effect.result(work))
  // A segment that was deleted or changed since the page was read is nobody's failure.
  if (Exit.isSuccess(exit)) return true
  if (Cause.hasInterrupts(exit.cause)) return yield* Effect.failCause(exit.cause)
  yield* Effect.logError("Evaluation of a segment failed", exit.cause).pipe(
    Effect.annotateLogs({ projectId, segmentId: id })
  )
  return false
})

/** One round over all projects. Dies at the end when a segment could not be evaluated. */
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

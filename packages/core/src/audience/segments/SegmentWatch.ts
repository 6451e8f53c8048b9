/**
 * The loop that makes segments react to changes of contacts.
 *
 * One transaction claims, evaluates and removes a batch of changes. If the process dies during it, the changes stay in
 * the queue and no event is recorded. Projects take turns. A project whose changes fail does not delay others.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Cause, Context, Duration, Effect, Exit, FiberSet, Layer, Option, Queue } from "effect"
import { SqlClient } from "effect/sql"
import { pauseAfter } from "../../platform/Backoff.ts"
import { elapsedMillis } from "../../platform/Elapsed.ts"
import { keepRunning } from "../../platform/jobs/Loop.ts"
import * as ChangeQueue from "./ChangeQueue.ts"
import { Segments } from "./Segments.ts"

export interface Options {
  /** The interval between checks of an empty queue. */
  readonly poll: Duration.Duration
  /** The number of projects that are evaluated at once. */
  readonly concurrency: number
}

export const Options = Context.Reference<Options>("@posthorn/core/segments/SegmentWatch/Options", {
  defaultValue: () => ({ poll: Duration.millis(500), concurrency: 4 })
})

interface Failing {
  readonly failures: number
  /** In milliseconds of the monotonic clock. The project is skipped until then. */
  readonly until: number
}

export const layer: Layer.Layer<never, never, Segments | SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { nextChanged, react } = yield* Segments
    const { poll, concurrency } = yield* Options
    /** The projects of this process. Locks separate it from other processes. */
    const inHand = new Set<ProjectId>()
    const failing = new Map<ProjectId, Failing>()

    const resting = (now: number): ReadonlyArray<ProjectId> => {
      for (const [project, { until }] of failing) if (until + 600_000 < now) failing.delete(project)
      return [...failing].filter(([, { until }]) => until > now).map(([project]) => project)
    }

    const work = Effect.fnUntraced(function* (project: ProjectId) {
      const exit = yield* Effect.exit(react(project))
      if (Exit.isSuccess(exit)) {
        failing.delete(project)
        return
      }
      if (Cause.hasInterruptsOnly(exit.cause)) return
      const failures = (failing.get(project)?.failures ?? 0) + 1
      const pause = pauseAfter(failures)
      failing.set(project, { failures, until: (yield* elapsedMillis) + Duration.toMillis(pause) })
      yield* Effect.logError(`Segments could not react to changes; next try in ${Duration.format(pause)}`, exit.cause)
    })

    const freed = yield* Queue.sliding<void>(1)
    const fibers = yield* FiberSet.make<void>()
    const untilDue = yield* ChangeQueue.next(yield* SqlClient.SqlClient)
    const rest = Effect.raceFirst(Effect.orDie(Queue.take(freed)), untilDue(poll))

    const turn = Effect.gen(function* () {
      if (inHand.size >= concurrency) return yield* rest
      const next = yield* nextChanged([...inHand, ...resting(yield* elapsedMillis)])
      if (Option.isNone(next)) return yield* rest
      const project = next.value
      inHand.add(project)
      const letGo = Effect.andThen(
        Effect.sync(() => inHand.delete(project)),
        Queue.offer(freed, undefined)
      )
      yield* FiberSet.run(
        fibers,
        work(project).pipe(Effect.ensuring(letGo), Effect.annotateLogs({ projectId: project }))
      )
    })

    yield* Effect.forkScoped(keepRunning("Reading of changes for segments", turn))
  })
)

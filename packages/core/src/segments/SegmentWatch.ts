/**
 * The loop that has segments react to what changes about contacts (contract 15.6).
 *
 * A batch of changes is claimed, evaluated and taken away in one transaction: a process that dies in it leaves the
 * changes where they were, and has told nobody. Projects take turns; one whose changes fail keeps none waiting.
 */
import type { ProjectId } from "@posthorn/contract/Auth"
import { Cause, Context, Duration, Effect, Exit, FiberSet, Layer, Option, Queue } from "effect"
import { pauseAfter } from "../Backoff.ts"
import { elapsedMillis } from "../Elapsed.ts"
import { ChangeQueue } from "./ChangeQueue.ts"
import { SegmentCompute } from "./SegmentCompute.ts"

export interface Options {
  /** Between two looks at an idle queue. */
  readonly poll: Duration.Duration
  /** Projects that are evaluated at once. */
  readonly concurrency: number
}

export const Options = Context.Reference<Options>("@posthorn/core/segments/SegmentWatch/Options", {
  defaultValue: () => ({ poll: Duration.millis(500), concurrency: 4 })
})

interface Failing {
  readonly failures: number
  /** In milliseconds of the monotonic clock; until then the project is left alone. */
  readonly until: number
}

export const layer: Layer.Layer<never, never, ChangeQueue | SegmentCompute> = Layer.effectDiscard(
  Effect.gen(function* () {
    const queue = yield* ChangeQueue
    const { react } = yield* SegmentCompute
    const { poll, concurrency } = yield* Options
    /** In this process: others have their own, and locks keep them apart. */
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
    const rest = Effect.raceFirst(Effect.orDie(Queue.take(freed)), Effect.sleep(poll))

    const turn = Effect.gen(function* () {
      if (inHand.size >= concurrency) return yield* rest
      const next = yield* queue.next([...inHand, ...resting(yield* elapsedMillis)])
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

    yield* Effect.forkScoped(
      Effect.forever(
        Effect.catchDefect(turn, (defect) =>
          Effect.andThen(
            Effect.logError("Changes that segments react to cannot be read", defect),
            Effect.sleep("1 second")
          )
        )
      )
    )
  })
)

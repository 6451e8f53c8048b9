/** The loops of a worker. A loop repeats a step for as long as the process runs. */
import { type Duration, Effect, type Scope } from "effect"
import { isDiskFull, noteFull } from "../http/FullDisk.ts"
import type { Wakeup } from "../Wakeups.ts"

/** Handles a step that dies: logs the defect under the name of the loop and waits a second. */
export const pauseAfter =
  (name: string) =>
  (defect: unknown): Effect.Effect<void> =>
    Effect.logError(`${name} failed`, defect).pipe(
      Effect.andThen(isDiskFull(defect) ? noteFull : Effect.void),
      Effect.andThen(Effect.sleep("1 second"))
    )

/**
 * Runs a step until the scope closes, in its own fiber. A step returns whether there is more to do. If there is, the
 * next step follows at once; otherwise it follows a wake-up, or `poll`. A step that dies is logged under the name of
 * the loop, and the loop continues a second later.
 */
export const forkLoop = Effect.fnUntraced(function* <R>(
  name: string,
  step: Effect.Effect<boolean, never, R>,
  { wakeup, poll }: { readonly wakeup: Wakeup; readonly poll: Duration.Duration }
): Effect.fn.Return<void, never, R | Scope.Scope> {
  const rest = Effect.raceFirst(yield* wakeup.listen, Effect.sleep(poll))
  yield* step.pipe(
    Effect.flatMap((hasMore) => (hasMore ? Effect.yieldNow : Effect.asVoid(rest))),
    Effect.catchDefect(pauseAfter(name)),
    Effect.forever,
    Effect.forkScoped
  )
})

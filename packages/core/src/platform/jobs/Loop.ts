/** The loops of a worker. A loop repeats a step for as long as the process runs. */
import { type Duration, Effect, type Scope } from "effect"
import { isDiskFull, noteFull } from "../http/FullDisk.ts"
import type { Wakeup } from "../Wakeups.ts"
import { type NextDue, polled } from "./Agenda.ts"

/** Repeats a step. If it dies, the defect is logged under the name of the loop, and the loop continues a second later. */
export const keepRunning = <R>(name: string, step: Effect.Effect<void, never, R>): Effect.Effect<never, never, R> =>
  step.pipe(
    Effect.catchDefect((defect) =>
      Effect.logError(`${name} failed`, defect).pipe(
        Effect.andThen(isDiskFull(defect) ? noteFull : Effect.void),
        Effect.andThen(Effect.sleep("1 second"))
      )
    ),
    Effect.forever
  )

/** As `keepRunning`. A step returns whether there is more to do. If not, the loop runs `rest` before the next step. */
export const runLoop = <R>(
  name: string,
  step: Effect.Effect<boolean, never, R>,
  rest: Effect.Effect<void>
): Effect.Effect<never, never, R> =>
  keepRunning(
    name,
    Effect.flatMap(step, (hasMore) => (hasMore ? Effect.yieldNow : rest))
  )

/**
 * As `runLoop`, in its own fiber until the scope closes. It rests until a wake-up, or until its queue has a row that is
 * due (`Agenda.ts`).
 */
export const forkLoop = Effect.fnUntraced(function* <R>(
  name: string,
  step: Effect.Effect<boolean, never, R>,
  {
    next,
    poll,
    wakeup
  }: { readonly next: NextDue | undefined; readonly poll: Duration.Duration; readonly wakeup?: Wakeup }
): Effect.fn.Return<void, never, R | Scope.Scope> {
  const rest = yield* next ?? polled
  const due = wakeup === undefined ? rest(poll) : Effect.raceFirst(yield* wakeup.listen, rest(poll))
  yield* Effect.forkScoped(runLoop(name, step, due))
})

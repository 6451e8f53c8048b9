/** The loops of a worker: a step again and again, for as long as the process runs. */
import { type Duration, Effect, type Scope } from "effect"
import type { Nudge } from "../Nudge.ts"

/**
 * Runs a step until the scope closes, in a fiber of its own. After a step that tells of more to do the next one follows
 * at once; else when somebody nudges, or after `poll`. A step that dies is logged under the loop's name, and the loop
 * goes on a second later.
 */
export const forkLoop = Effect.fnUntraced(function* <R>(
  name: string,
  step: Effect.Effect<boolean, never, R>,
  { nudge, poll }: { readonly nudge: Nudge; readonly poll: Duration.Duration }
): Effect.fn.Return<void, never, R | Scope.Scope> {
  const rest = Effect.raceFirst(yield* nudge.listen, Effect.sleep(poll))
  yield* step.pipe(
    Effect.flatMap((hasMore) => (hasMore ? Effect.yieldNow : Effect.asVoid(rest))),
    Effect.catchDefect((defect) => Effect.andThen(Effect.logError(`${name} failed`, defect), Effect.sleep("1 second"))),
    Effect.forever,
    Effect.forkScoped
  )
})

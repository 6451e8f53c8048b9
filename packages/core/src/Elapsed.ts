/** Time that passes, by the monotonic clock: who sets the wall clock makes nothing last longer. */
import { Clock, Duration, Effect } from "effect"

/** Milliseconds since a moment that is the same for all of a process. */
export const elapsedMillis: Effect.Effect<number> = Effect.map(Clock.monotonicTimeNanos, (nanos) =>
  Number(nanos / 1_000_000n)
)

/** What the effect gave, for so long after it was begun; those who ask at once share one run. */
export const cachedFor =
  (lifetime: Duration.Duration) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<Effect.Effect<A, E, R>> =>
    Effect.map(Effect.cachedInvalidateWithTTL(self, Duration.infinity), ([value, forget]) => {
      let until: number | undefined
      return Effect.gen(function* () {
        const now = yield* elapsedMillis
        if (until === undefined || now >= until) {
          until = now + Duration.toMillis(lifetime)
          yield* forget
        }
        return yield* value
      })
    })

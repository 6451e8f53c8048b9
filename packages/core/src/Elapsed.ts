/** Time that passes, by the monotonic clock: setting the wall clock makes nothing last longer or shorter. */
import { Clock, Duration, Effect } from "effect"

/** Milliseconds since some moment, the same one for the whole process; only differences mean anything. */
export const elapsedMillis: Effect.Effect<number> = Effect.map(Clock.monotonicTimeNanos, (nanos) =>
  Number(nanos / 1_000_000n)
)

/**
 * Remembers the result of an effect for `lifetime`, counted from when the effect was begun. Those who ask while it runs
 * share that run.
 */
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

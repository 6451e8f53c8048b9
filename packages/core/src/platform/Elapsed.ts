/** Elapsed time by the monotonic clock. Setting the wall clock does not change it. */
import { Clock, Duration, Effect } from "effect"

/** Milliseconds since a fixed moment of the process. Only differences are meaningful. */
export const elapsedMillis: Effect.Effect<number> = Effect.map(Clock.monotonicTimeNanos, (nanos) =>
  Number(nanos / 1_000_000n)
)

/**
 * Caches the result of an effect for `lifetime`, counted from the start of the effect. Callers that arrive while it
 * runs share that run. The second effect forgets the result.
 */
export const forgettableFor =
  (lifetime: Duration.Duration) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<[Effect.Effect<A, E, R>, Effect.Effect<void>]> =>
    Effect.map(Effect.cachedInvalidateWithTTL(self, Duration.infinity), ([value, forget]) => {
      let until: number | undefined
      const cached = Effect.gen(function* () {
        const now = yield* elapsedMillis
        if (until === undefined || now >= until) {
          until = now + Duration.toMillis(lifetime)
          yield* forget
        }
        return yield* value
      })
      return [cached, forget]
    })

/** As `forgettableFor`, without the means to forget. */
export const cachedFor =
  (lifetime: Duration.Duration) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<Effect.Effect<A, E, R>> =>
    Effect.map(forgettableFor(lifetime)(self), ([cached]) => cached)

/** Waits for other processes. */
import { Clock, Duration, Effect } from "effect"

const step = Duration.millis(50)
const usualPatience = Duration.minutes(2)

/**
 * Repeats a check until it succeeds. When the time is over, it dies with the last result as one sentence. A number that
 * falls to a new minimum restarts the time, because a backlog takes long on a busy machine.
 */
export const until = Effect.fnUntraced(function* <A, E, R>(
  what: string,
  look: Effect.Effect<A, E, R>,
  isSo: (found: A) => boolean,
  patience: Duration.Duration = usualPatience
) {
  let least = Number.POSITIVE_INFINITY
  let end = (yield* Clock.currentTimeMillis) + Duration.toMillis(patience)
  for (;;) {
    const found = yield* look
    if (isSo(found)) return found
    const now = yield* Clock.currentTimeMillis
    if (typeof found === "number" && found < least) {
      least = found
      end = now + Duration.toMillis(patience)
    }
    if (now > end) {
      return yield* Effect.die(new Error(`Waited in vain for ${what}; the last look found ${JSON.stringify(found)}`))
    }
    yield* Effect.sleep(step)
  }
})

/** Waiting for what other processes do. */
import { Clock, Duration, Effect } from "effect"

const step = Duration.millis(50)
const usualPatience = Duration.minutes(2)

/**
 * Looks again and again until it is so; dies with the last look, as one sentence, when patience is over. A number that
 * falls to where it has never been makes patience begin anew: a backlog on a busy machine takes the time it takes.
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

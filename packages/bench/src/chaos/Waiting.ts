/** Waiting for what other processes do. */
import { Clock, Duration, Effect } from "effect"

const step = Duration.millis(50)
const usualPatience = Duration.minutes(2)

/** Looks again and again until it is so; dies with the last look, as one sentence, when patience is over. */
export const until = Effect.fnUntraced(function* <A, E, R>(
  what: string,
  look: Effect.Effect<A, E, R>,
  isSo: (found: A) => boolean,
  patience: Duration.Duration = usualPatience
) {
  const end = (yield* Clock.currentTimeMillis) + Duration.toMillis(patience)
  for (;;) {
    const found = yield* look
    if (isSo(found)) return found
    if ((yield* Clock.currentTimeMillis) > end) {
      return yield* Effect.die(new Error(`Waited in vain for ${what}; the last look found ${JSON.stringify(found)}`))
    }
    yield* Effect.sleep(step)
  }
})

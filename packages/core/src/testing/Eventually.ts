/** Waits in real time for something outside the test clock, such as storage and sockets. */
import { Effect } from "effect"
import { TestClock } from "effect/testing"

const timeout = 15_000
const step = 20

/** Repeats until the result matches. Fails with the last result when the time is up. */
export const eventually = Effect.fnUntraced(function* <A, E, R>(
  look: Effect.Effect<A, E, R>,
  isWanted: (found: A) => boolean
) {
  let found = yield* look
  for (let waited = 0; !isWanted(found) && waited < timeout; waited += step) {
    yield* TestClock.withLive(Effect.sleep(step))
    found = yield* look
  }
  if (!isWanted(found)) return yield* Effect.die(new Error(`Timed out; the last result was ${JSON.stringify(found)}`))
  return found
})

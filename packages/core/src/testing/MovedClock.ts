/** The test clock with a wall clock that can be set; the monotonic clock is not affected. For tests. */
import { Clock, Effect } from "effect"

/** `set` moves the wall clock this many milliseconds from its own time. */
export const movedClock = Effect.map(Clock.clockWith(Effect.succeed), (clock) => {
  let ahead = 0
  const millis = () => clock.currentTimeMillisUnsafe() + ahead
  const nanos = () => clock.currentTimeNanosUnsafe() + BigInt(ahead) * 1_000_000n
  const moved: Clock.Clock = {
    ...clock,
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos)
  }
  const set = (milliseconds: number) =>
    Effect.sync(() => {
      ahead = milliseconds
    })
  return { clock: moved, set }
})

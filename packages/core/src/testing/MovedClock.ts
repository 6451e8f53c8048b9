/** The test clock, whose wall time is set while time goes by as before. For tests. */
import { Clock, Effect } from "effect"

/** `set` moves the wall clock so many milliseconds from where it would be. */
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

/**
 * The clock of dev mode: real time plus an offset that only grows.
 *
 * Sleeping fibers wait for a time of this clock, so work that is due after an advance runs at once. Measured durations
 * come from the machine and do not include an advance.
 */
import { realClock } from "@posthorn/platform-node/RealTime"
import { type Clock, Duration, Effect } from "effect"

export interface DevClock extends Clock.Clock {
  /** The difference to real time. */
  readonly offset: () => Duration.Duration
  /** Moves the clock and wakes the fibers that are due. */
  readonly advance: (by: Duration.Duration) => Effect.Effect<void>
}

interface Sleeper {
  /** A time of this clock, in milliseconds. */
  readonly until: number
  readonly wake: () => void
  timer: NodeJS.Timeout | undefined
}

/** Timers of Node.js support no longer delay; they would fire at once. */
const longestTimer = 2 ** 31 - 1

export const make = (initialOffset: Duration.Duration = Duration.zero): DevClock => {
  let offset = Duration.toMillis(initialOffset)
  const sleepers = new Set<Sleeper>()

  const now = () => realClock.currentTimeMillisUnsafe() + offset
  const nowNanos = () => realClock.currentTimeNanosUnsafe() + BigInt(Math.trunc(offset)) * 1_000_000n

  const arm = (sleeper: Sleeper) => {
    clearTimeout(sleeper.timer)
    const left = sleeper.until - now()
    if (left <= 0) return sleeper.wake()
    sleeper.timer = setTimeout(() => arm(sleeper), Math.min(left, longestTimer))
  }

  const sleep = (duration: Duration.Duration): Effect.Effect<void> => {
    const millis = Duration.toMillis(duration)
    if (millis <= 0) return Effect.yieldNow
    if (!Number.isFinite(millis)) return Effect.never
    return Effect.callback((resume) => {
      const leave = () => {
        sleepers.delete(sleeper)
        clearTimeout(sleeper.timer)
      }
      const wake = () => {
        leave()
        resume(Effect.void)
      }
      const sleeper: Sleeper = { until: now() + millis, wake, timer: undefined }
      sleepers.add(sleeper)
      arm(sleeper)
      return Effect.sync(leave)
    })
  }

  return {
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanosUnsafe: nowNanos,
    currentTimeNanos: Effect.sync(nowNanos),
    monotonicTimeNanosUnsafe: () => realClock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: realClock.monotonicTimeNanos,
    sleep,
    offset: () => Duration.millis(offset),
    advance: (by) =>
      Effect.sync(() => {
        offset += Math.max(0, Duration.toMillis(by))
        for (const sleeper of [...sleepers]) arm(sleeper)
      })
  }
}

/** Waits between tries of work that fails. Each wait is twice as long as the one before. */
import { Duration, Effect, Schedule } from "effect"

export const longestPause: Duration.Duration = Duration.minutes(5)

/** The wait after this many failures in a row, counted from 1: 1 second at first, `longest` at most. */
export const pauseAfter = (failures: number, longest = longestPause): Duration.Duration =>
  Duration.min(Duration.seconds(2 ** Math.min(failures - 1, 12)), longest)

/** The same waits, as a schedule that repeats an effect until it succeeds. */
export const untilItSucceeds = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced(longestPause)])

const untilStorageIsBack = Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("1 second")])

/** Repeats an effect that dies, because storage is away for a moment. Waits 50 milliseconds at first, a second at most. */
export const retryDefects = <A, R>(self: Effect.Effect<A, never, R>): Effect.Effect<A, never, R> =>
  self.pipe(Effect.catchDefect(Effect.fail), Effect.retry(untilStorageIsBack), Effect.orDie)

/** Waits between tries of work that fails: 1 second, then twice as long each time, up to 5 minutes. */
import { Duration, Schedule } from "effect"

export const longestPause: Duration.Duration = Duration.minutes(5)

/** The wait after this many failures in a row, counted from 1. */
export const pauseAfter = (failures: number): Duration.Duration =>
  Duration.min(Duration.seconds(2 ** Math.min(failures - 1, 10)), longestPause)

/** The same waits, as a schedule that repeats an effect until it succeeds. */
export const untilItSucceeds = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced(longestPause)])

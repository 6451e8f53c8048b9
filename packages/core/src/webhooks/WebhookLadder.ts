/** When to retry a failed delivery. Pure. `random` in [0, 1) spreads simultaneous retries. */
import { DateTime, Duration, Option } from "effect"

const waits = [
  Duration.seconds(5),
  Duration.minutes(5),
  Duration.minutes(30),
  Duration.hours(2),
  Duration.hours(5),
  Duration.hours(10),
  Duration.hours(14)
]

/** The random share of a wait, in both directions. */
const jitter = 0.1
const longestRetryAfter = Duration.hours(24)

/** The wait after the attempt on this rung, from 0. Undefined after the last rung. */
export const waitAfterRung = (rung: number, random: number): Duration.Duration | undefined => {
  const whole = waits[rung]
  return whole && Duration.millis(Duration.toMillis(whole) * (1 + jitter * (2 * random - 1)))
}

/** `Retry-After` in seconds or as a date (RFC 9110 10.2.3), at most 24 hours. Undefined if it cannot be parsed. */
export const retryAfter = (header: string | undefined, now: DateTime.Utc): Duration.Duration | undefined => {
  if (header === undefined) return undefined
  const text = header.trim()
  const until = /^\d{1,9}$/.test(text)
    ? Duration.seconds(Number(text))
    : /^[A-Za-z]{3}/.test(text)
      ? Option.getOrUndefined(Option.map(DateTime.make(text), (date) => DateTime.distance(now, date)))
      : undefined
  return until && Duration.clamp(until, { minimum: Duration.zero, maximum: longestRetryAfter })
}

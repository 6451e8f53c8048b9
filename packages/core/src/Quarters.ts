/**
 * Quarters of an hour, by which totals are kept: the days of every time zone begin with one. Pure.
 */
import { DateTime } from "effect"

const millis = 15 * 60_000
const dayMillis = 24 * 60 * 60_000

/** The begin of the quarter that an instant lies in. */
export const quarterOf = (instant: DateTime.Utc): DateTime.Utc => {
  const at = DateTime.toEpochMillis(instant)
  return DateTime.makeUnsafe(Math.floor(at / millis) * millis)
}

/** The first quarter that begins at an instant or after it. */
export const quarterFrom = (instant: DateTime.Utc): DateTime.Utc =>
  quarterOf(DateTime.add(instant, { milliseconds: millis - 1 }))

/** The first day of UTC that begins at an instant or after it. */
export const dayFrom = (instant: DateTime.Utc): DateTime.Utc =>
  DateTime.makeUnsafe(Math.ceil(DateTime.toEpochMillis(instant) / dayMillis) * dayMillis)

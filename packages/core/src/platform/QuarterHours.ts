/** Quarters of an hour. Totals are stored by quarter, since days in every time zone start with one. Pure. */
import { DateTime } from "effect"
import { dayMillis } from "./WallClock.ts"

const millis = 15 * 60_000

/** The start of the quarter that contains an instant. */
export const quarterOf = (instant: DateTime.Utc): DateTime.Utc => {
  const at = DateTime.toEpochMillis(instant)
  return DateTime.makeUnsafe(Math.floor(at / millis) * millis)
}

/** The first quarter that starts at an instant or after it. */
export const quarterFrom = (instant: DateTime.Utc): DateTime.Utc =>
  quarterOf(DateTime.add(instant, { milliseconds: millis - 1 }))

/** The start of the UTC day that contains an instant. */
export const dayOf = (instant: DateTime.Utc): DateTime.Utc =>
  DateTime.makeUnsafe(Math.floor(DateTime.toEpochMillis(instant) / dayMillis) * dayMillis)

/** The first UTC day that starts at an instant or after it. */
export const dayFrom = (instant: DateTime.Utc): DateTime.Utc =>
  DateTime.makeUnsafe(Math.ceil(DateTime.toEpochMillis(instant) / dayMillis) * dayMillis)

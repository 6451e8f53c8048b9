/** Billing periods. Pure. */
import { DateTime } from "effect"

/** The end is exclusive. */
export interface Period {
  readonly start: DateTime.Utc
  readonly end: DateTime.Utc
}

const calendarMonth = (now: DateTime.Utc): Period => {
  const start = DateTime.startOf(now, "month")
  return { start, end: DateTime.add(start, { months: 1 }) }
}

/** The subscription's own period. Until the provider reports the next one, months follow it. */
const following = ({ start, end }: Period, now: DateTime.Utc): Period =>
  DateTime.isLessThan(now, end) ? { start, end } : following({ start: end, end: DateTime.add(end, { months: 1 }) }, now)

export const periodAt = (now: DateTime.Utc, subscribed: Period | undefined): Period =>
  subscribed === undefined || DateTime.isLessThan(now, subscribed.start)
    ? calendarMonth(now)
    : following(subscribed, now)

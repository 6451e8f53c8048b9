/** Billing periods. Pure. */
import { DateTime } from "effect"

/** The end is exclusive. */
export interface BillingPeriod {
  readonly start: DateTime.Utc
  readonly end: DateTime.Utc
}

const calendarMonth = (now: DateTime.Utc): BillingPeriod => {
  const start = DateTime.startOf(now, "month")
  return { start, end: DateTime.add(start, { months: 1 }) }
}

/** The period of the subscription. After its end, months follow it until the provider reports the next one. */
const following = ({ start, end }: BillingPeriod, now: DateTime.Utc): BillingPeriod =>
  DateTime.isLessThan(now, end) ? { start, end } : following({ start: end, end: DateTime.add(end, { months: 1 }) }, now)

export const periodAt = (now: DateTime.Utc, subscribed: BillingPeriod | undefined): BillingPeriod =>
  subscribed === undefined || DateTime.isLessThan(now, subscribed.start)
    ? calendarMonth(now)
    : following(subscribed, now)

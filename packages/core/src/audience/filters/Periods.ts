/** Spans and periods relative to a given time, as ranges of milliseconds. */
import type { Instants, Period, Span } from "@posthorn/contract/audience/filters/Condition"

const millis = {
  minutes: 60_000,
  hours: 3_600_000,
  days: 24 * 3_600_000,
  weeks: 7 * 24 * 3_600_000
} as const

/**
 * The first whole millisecond at or after `now - span`. For whole milliseconds, comparing with it with `>=` or `<`
 * gives the same result as comparing with the exact instant.
 */
export const ago = ({ amount, unit }: Span, now: number): number =>
  unit === "months" ? monthsAgo(amount, now) : Math.ceil(now - amount * millis[unit])

/** Keeps the time of day. A day that the month does not have becomes its last day. */
const monthsAgo = (months: number, now: number): number => {
  const date = new Date(now)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() - months)
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime()
}

export const instantsOf = (period: Period, now: number): Omit<Instants, "_tag"> => {
  switch (period._tag) {
    case "Instants":
      return period
    case "Within":
      return { from: ago(period.span, now), to: now + 1 }
    case "OlderThan":
      return { to: ago(period.span, now) }
  }
}

export const isInPeriod = (period: Period, instant: number, now: number): boolean => {
  const { from, to } = instantsOf(period, now)
  return (from === undefined || from <= instant) && (to === undefined || instant < to)
}

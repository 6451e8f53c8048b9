/** Spans and periods at a given now, as ranges of milliseconds (contract 16.4, 16.5). */
import type { Instants, Period, Span } from "@posthorn/contract/filters/Condition"

const millis = {
  minutes: 60_000,
  hours: 3_600_000,
  days: 24 * 3_600_000,
  weeks: 7 * 24 * 3_600_000
} as const

/**
 * The first whole millisecond at or after `now - span`: `x >= it` and `x < it` say the same of whole milliseconds as of
 * the exact instant.
 */
export const ago = ({ amount, unit }: Span, now: number): number =>
  unit === "months" ? monthsAgo(amount, now) : Math.ceil(now - amount * millis[unit])

/** The same time of day; a day the month does not have becomes its last. */
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

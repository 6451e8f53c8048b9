/** The day of a warm-up: when it begins and ends, and how much of its cap is free at a moment. Pure. */
import { DateTime } from "effect"
import { dayMillis, instantOf, localDay, localMillis, timeMillis, zoneNamed } from "../../platform/WallClock.ts"

export interface DayHours {
  readonly from: string
  readonly to: string
}

/** The instants of one local day, in milliseconds since 1970. */
export interface Day {
  readonly begins: number
  /** When the first mail may leave. */
  readonly opens: number
  /** When the whole cap is free. */
  readonly closes: number
  readonly ends: number
}

const dateOf = (local: number): string => DateTime.formatIsoDate(DateTime.makeUnsafe(local))
const localOf = (date: string): number => DateTime.toEpochMillis(DateTime.makeUnsafe(`${date}T00:00:00Z`))

/** The local date of an instant, such as `2026-12-24`. */
export const dateAt = (instant: number, timezone: string): string =>
  dateOf(localDay(localMillis(instant, zoneNamed(timezone))))

export const daysAfter = (date: string, days: number): string => dateOf(localOf(date) + days * dayMillis)

export const localDayOf = (date: string, timezone: string, hours: DayHours | null): Day => {
  const [local, zone] = [localOf(date), zoneNamed(timezone)]
  const at = (time: number) => instantOf(local + time, zone)
  const [begins, ends] = [at(0), at(dayMillis)]
  return hours === null
    ? { begins, opens: begins, closes: ends, ends }
    : { begins, opens: at(timeMillis(hours.from)), closes: at(timeMillis(hours.to)), ends }
}

/** How many mails of the day may have left at this instant. The first at the opening, the last before the end. */
export const allowed = (cap: number, { closes, opens }: Day, instant: number): number => {
  if (instant < opens) return 0
  // A clock change can skip all hours of the plan.
  return instant >= closes ? cap : Math.min(cap, Math.floor((cap * (instant - opens)) / (closes - opens)) + 1)
}

/** The first instant at which this many mails may have left. */
export const allowedFrom = (cap: number, { closes, opens }: Day, mails: number): number =>
  opens + Math.ceil((Math.max(0, mails - 1) * (closes - opens)) / cap)

/**
 * Wall clocks of time zones. A local time is a number: the milliseconds since 1970 at which a clock in UTC shows it.
 * Pure.
 */
import type { Weekday } from "@posthorn/contract/accounts/projects/DayWindow"
import { DateTime, Option } from "effect"

const minute = 60_000
export const dayMillis = 86_400_000

/** The zone of this name. UTC if there is none. */
export const zoneNamed = (name: string): DateTime.TimeZone =>
  Option.getOrElse(DateTime.zoneMakeNamed(name), () => DateTime.zoneMakeOffset(0))

/** The zone of a choice: `CONTACT`, which is the default, `PROJECT`, or the name of a zone. */
export const chosenZone = (
  choice: string | null | undefined,
  ofContact: string | null,
  ofProject: string
): DateTime.TimeZone => {
  if (choice != null && choice !== "CONTACT" && choice !== "PROJECT") return zoneNamed(choice)
  return zoneNamed((choice === "PROJECT" ? null : ofContact) ?? ofProject)
}

const offsetAt = (instant: number, zone: DateTime.TimeZone): number =>
  DateTime.zonedOffset(DateTime.makeZonedUnsafe(instant, { timeZone: zone }))

export const localMillis = (instant: number, zone: DateTime.TimeZone): number => instant + offsetAt(instant, zone)

/** The first or the last instant with this local time. Undefined if a clock change skips it. */
const instantWith = (local: number, zone: DateTime.TimeZone, which: "earlier" | "later"): number | undefined => {
  const zoned = DateTime.makeZonedUnsafe(local, { timeZone: zone, adjustForTimeZone: true, disambiguation: which })
  return localMillis(zoned.epochMilliseconds, zone) === local ? zoned.epochMilliseconds : undefined
}

/** The first instant with this local time. If a clock change skips it, the first minute after the gap. */
export const instantOf = (local: number, zone: DateTime.TimeZone): number => {
  for (let wanted = local; ; wanted += minute) {
    const found = instantWith(wanted, zone, "earlier")
    if (found !== undefined) return found
  }
}

/** The start of the local day. */
export const localDay = (local: number): number => Math.floor(local / dayMillis) * dayMillis

const weekdays = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] as const

/** 1 January 1970 was a Thursday. */
export const weekdayOf = (local: number): Weekday =>
  weekdays[(((Math.floor(local / dayMillis) + 3) % 7) + 7) % 7] ?? "MON"

/** Milliseconds since midnight of a time such as `09:30`. */
export const timeMillis = (time: string): number => (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * minute

/** A window of the day. One that ends before it begins runs over midnight, and belongs to the day on which it opens. */
export interface OpenHours {
  readonly days?: ReadonlyArray<Weekday> | null | undefined
  readonly from: string
  readonly to: string
}

const opensOn = ({ days }: OpenHours, local: number): boolean => days == null || days.includes(weekdayOf(local))

/** Whether the wall clock is in the window: at or after `from`, and before `to`. */
export const isOpen = (hours: OpenHours, instant: number, zone: DateTime.TimeZone): boolean => {
  const local = localMillis(instant, zone)
  const time = local - localDay(local)
  const [from, to] = [timeMillis(hours.from), timeMillis(hours.to)]
  if (from < to) return from <= time && time < to && opensOn(hours, local)
  return (from <= time && opensOn(hours, local)) || (time < to && opensOn(hours, local - dayMillis))
}

/** The instant in between at which the offset of the zone changes, if it does. */
function* changeBetween(from: number, until: number, zone: DateTime.TimeZone): Generator<number> {
  const before = offsetAt(from, zone)
  if (before === offsetAt(until, zone)) return
  let [low, high] = [from, until]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle, zone) === before) low = middle
    else high = middle
  }
  yield high
}

/** Days after which each weekday has come, even if clock changes skip one. */
const daysAhead = 21

/** The first instant after the given one at which the window is open or closed, by its hours or by a change of the clock. */
const nextChange = (
  hours: OpenHours,
  time: string,
  becomesOpen: boolean,
  after: number,
  zone: DateTime.TimeZone
): number | undefined => {
  const today = localDay(localMillis(after, zone))
  const at = timeMillis(time)
  for (let day = today; day < today + daysAhead * dayMillis; day += dayMillis) {
    const found = [
      instantOf(day + at, zone),
      instantWith(day + at, zone, "later") ?? after,
      ...changeBetween(instantOf(day, zone), instantOf(day + dayMillis, zone), zone)
    ].filter((instant) => instant > after && isOpen(hours, instant, zone) === becomesOpen)
    if (found.length > 0) return Math.min(...found)
  }
  return undefined
}

/** The first instant after the given one at which the closed window opens. */
export const nextOpening = (hours: OpenHours, after: number, zone: DateTime.TimeZone): number | undefined =>
  nextChange(hours, hours.from, true, after, zone)

/** The first instant after the given one at which the open window closes. */
export const nextClosing = (hours: OpenHours, after: number, zone: DateTime.TimeZone): number | undefined =>
  nextChange(hours, hours.to, false, after, zone)

/** The first instant after the given one at which it is this time on one of these days. */
export const nextWeekday = (
  days: ReadonlyArray<Weekday>,
  time: number,
  after: number,
  zone: DateTime.TimeZone
): number | undefined => {
  const today = localDay(localMillis(after, zone))
  for (let day = today; day < today + daysAhead * dayMillis; day += dayMillis) {
    if (!days.includes(weekdayOf(day))) continue
    const instant = instantOf(day + time, zone)
    if (instant > after) return instant
  }
  return undefined
}

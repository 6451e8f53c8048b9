/** The windows of time of activity and analytics. */
import type { WindowQuery } from "@posthorn/contract/accounts/projects/WindowQuery"
import { BadRequest } from "@posthorn/contract/platform/Errors"
import { DateTime, Effect, Option } from "effect"
import { dateRange, dayStart } from "./DateRange.ts"
import { dayMillis, zoneNamed } from "./WallClock.ts"

/** `from` is inclusive, `until` is exclusive. */
export interface TimeWindow {
  readonly from: DateTime.Utc
  readonly until: DateTime.Utc
}

/** Consecutive calendar days, with the instants at which they start and at which the last one ends. */
export interface Days {
  readonly dates: ReadonlyArray<string>
  /** The start of each date, and the end of the last one. */
  readonly starts: ReadonlyArray<DateTime.Utc>
}

const defaultDays = 30
const mostDays = 366

const tooLong = (received: string | undefined) =>
  new BadRequest({
    errors: [
      {
        field: "startDate",
        code: "too_big",
        message: `At most ${mostDays} days before the end.`,
        ...(received !== undefined && { received })
      }
    ]
  })

const zoneOf = ({ timezone }: WindowQuery, ofProject: string) => {
  const name = timezone ?? ofProject
  return { name, zone: zoneNamed(name) }
}

/** The last 30 days by default, and at most 366 days. The window includes the current moment. */
export const dateWindow = Effect.fnUntraced(function* (
  query: WindowQuery,
  ofProject: string
): Effect.fn.Return<TimeWindow, BadRequest> {
  const { name, zone } = zoneOf(query, ofProject)
  const given = yield* dateRange(query, name)
  const soon = DateTime.add(yield* DateTime.now, { milliseconds: 1 })
  const until = given.until ?? (given.from === undefined ? soon : DateTime.max(soon, given.from))
  const daysBack = (days: number) => DateTime.toUtc(DateTime.subtract(DateTime.setZone(until, zone), { days }))
  const from = given.from ?? daysBack(defaultDays)
  if (DateTime.isLessThan(from, daysBack(mostDays))) return yield* tooLong(query.startDate)
  return { from, until }
})

/** As `dateWindow` where dates are given, else unlimited. */
export const openWindow = (query: WindowQuery, ofProject: string) => dateRange(query, zoneOf(query, ofProject).name)

const numberOf = (date: string) => Math.floor(Date.parse(date) / dayMillis)
const dateOf = (number: number) => DateTime.formatIsoDate(DateTime.makeUnsafe(number * dayMillis))

/** The whole days of a window, by default the last 30 up to and including today. */
export const windowDays = Effect.fnUntraced(function* (
  query: WindowQuery,
  ofProject: string
): Effect.fn.Return<Days, BadRequest> {
  const { name, zone } = zoneOf(query, ofProject)
  const { from, until } = yield* dateRange(query, name)
  const dayOf = (instant: DateTime.Utc) => numberOf(DateTime.formatIsoDate(DateTime.setZone(instant, zone)))
  const last = dayOf(until === undefined ? yield* DateTime.now : DateTime.subtract(until, { milliseconds: 1 }))
  const first = from === undefined ? last - defaultDays + 1 : dayOf(from)
  if (last - first >= mostDays) return yield* tooLong(query.startDate)
  // A zone that crosses the date line skips a day.
  const seen = Array.from({ length: Math.max(0, last - first + 2) }, (_, n) => dateOf(first + n)).flatMap((date) =>
    Option.match(dayStart(date, zone), {
      onNone: () => [],
      onSome: (start) => [{ date, start: DateTime.toUtc(start) }]
    })
  )
  return { dates: seen.slice(0, -1).map(({ date }) => date), starts: seen.map(({ start }) => start) }
})

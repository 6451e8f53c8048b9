/** The windows of time that activity and analytics are asked for (contract-2 1, 7). */
import type { WindowQuery } from "@posthorn/contract/activity/Activity"
import { BadRequest } from "@posthorn/contract/Errors"
import { DateTime, Effect, Option } from "effect"
import { dateRange, dayStart } from "./DateRange.ts"

/** Half open: `from` is inside, `until` is not. */
export interface Window {
  readonly from: DateTime.Utc
  readonly until: DateTime.Utc
}

/** Calendar days in a row, with the instants at which they begin, and at which the last one ends. */
export interface Days {
  readonly dates: ReadonlyArray<string>
  /** One more than there are dates. */
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
  return { name, zone: Option.getOrElse(DateTime.zoneMakeNamed(name), () => DateTime.zoneMakeOffset(0)) }
}

/** Of the last 30 days unless the query says otherwise, and of 366 at most. What happens this moment is inside. */
export const dateWindow = Effect.fnUntraced(function* (
  query: WindowQuery,
  ofProject: string
): Effect.fn.Return<Window, BadRequest> {
  const { name, zone } = zoneOf(query, ofProject)
  const given = yield* dateRange(query, name)
  const soon = DateTime.add(yield* DateTime.now, { milliseconds: 1 })
  const until = given.until ?? (given.from === undefined ? soon : DateTime.max(soon, given.from))
  const daysBack = (days: number) => DateTime.toUtc(DateTime.subtract(DateTime.setZone(until, zone), { days }))
  const from = given.from ?? daysBack(defaultDays)
  if (DateTime.isLessThan(from, daysBack(mostDays))) return yield* tooLong(query.startDate)
  return { from, until }
})

/** As `dateWindow` where dates are given, of all time where they are not. */
export const openWindow = (query: WindowQuery, ofProject: string) => dateRange(query, zoneOf(query, ofProject).name)

const dayMillis = 86_400_000
const numberOf = (date: string) => Math.floor(Date.parse(date) / dayMillis)
const dateOf = (number: number) => DateTime.formatIsoDate(DateTime.makeUnsafe(number * dayMillis))

/** The whole days of a window, of the last 30 unless the query says otherwise: today is the last of them. */
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
  // A zone that changes sides of the date line has days that nobody ever saw.
  const seen = Array.from({ length: Math.max(0, last - first + 2) }, (_, n) => dateOf(first + n)).flatMap((date) =>
    Option.match(dayStart(date, zone), {
      onNone: () => [],
      onSome: (start) => [{ date, start: DateTime.toUtc(start) }]
    })
  )
  return { dates: seen.slice(0, -1).map(({ date }) => date), starts: seen.map(({ start }) => start) }
})

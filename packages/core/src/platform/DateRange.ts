/** `startDate` and `endDate` of a list. A date is a whole day in the list's time zone. */
import { BadRequest } from "@posthorn/contract/platform/Errors"
import { isCalendarDay } from "@posthorn/contract/platform/Primitives"
import { DateTime, Effect, Option } from "effect"
import { zoneNamed } from "./WallClock.ts"

/** `from` is inclusive, `until` is exclusive. */
export interface DateRange {
  readonly from: DateTime.Utc | undefined
  readonly until: DateTime.Utc | undefined
}

/** Whether the text is a date without a time, such as `2026-03-01`. */
const isDay = (text: string) => text.length === 10

/** The start of a calendar day. None for a date that does not exist, such as `2026-02-30`. */
export const dayStart = (text: string, zone: DateTime.TimeZone) =>
  Option.filter(
    DateTime.makeZoned(`${text}T00:00:00`, { timeZone: zone, adjustForTimeZone: true }),
    (start) => DateTime.formatIsoDate(start) === text
  )

/** A date, whose day begins in UTC, or a date-time, without a zone in UTC. None for a date that does not exist. */
export const utcInstant = (text: string): Option.Option<DateTime.Utc> => {
  if (!isCalendarDay(text.slice(0, 10))) return Option.none()
  const isComplete = isDay(text) || /(?:Z|[+-]\d{2}:?\d{2})$/.test(text)
  return Option.map(DateTime.make(isComplete ? text : `${text.replace(" ", "T")}Z`), DateTime.toUtc)
}

const refused = (parameter: string, received: string, message: string) =>
  new BadRequest({ errors: [{ field: parameter, code: "invalid_string", message, received }] })

const parse = (parameter: string, text: string | undefined, zone: DateTime.TimeZone, endOfDay: boolean) => {
  if (text === undefined) return Effect.succeed(undefined)
  const found = isDay(text)
    ? Option.map(dayStart(text, zone), (start) => DateTime.toUtc(endOfDay ? DateTime.add(start, { days: 1 }) : start))
    : utcInstant(text)
  return Option.isSome(found)
    ? Effect.succeed(found.value)
    : Effect.fail(refused(parameter, text, "Not a calendar date or date-time."))
}

/**
 * The range of a query, open on a side that is absent. A date as the end includes the whole day. An unknown time zone
 * counts as UTC. A text that is not a date, or a start after the end, is a `BadRequest`.
 */
export const dateRange = Effect.fnUntraced(function* (
  { startDate, endDate }: { readonly startDate?: string | undefined; readonly endDate?: string | undefined },
  timezone: string
): Effect.fn.Return<DateRange, BadRequest> {
  const zone = zoneNamed(timezone)
  const from = yield* parse("startDate", startDate, zone, false)
  const until = yield* parse("endDate", endDate, zone, true)
  const endsWithDay = endDate !== undefined && isDay(endDate)
  if (from && until && (DateTime.isGreaterThan(from, until) || (endsWithDay && DateTime.Equivalence(from, until)))) {
    return yield* refused("startDate", startDate ?? "", "Must not be after endDate.")
  }
  return { from, until }
})

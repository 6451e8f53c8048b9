/** The moment until which a DELAY waits. Pure. */
import { jsonPath } from "@posthorn/contract/audience/filters/FilterFields"
import { isoDate } from "@posthorn/contract/audience/filters/IsoDate"
import type { Until } from "@posthorn/contract/automation/workflows/TimingConfig"
import type { DateTime, Schema } from "effect"
import { valueAt } from "../../../audience/filters/JsonPaths.ts"
import { dataName } from "../../../events/ChangeNotes.ts"
import { dayMillis, instantOf, localDay, localMillis, nextWeekday, timeMillis } from "../../../platform/WallClock.ts"

/** What `until.field` can name. */
export interface MomentFields {
  readonly data: Schema.JsonObject
  readonly context: Schema.JsonObject
}

const defaultTime = "09:00"
const exactMillis = { minutes: 60_000, hours: 3_600_000 }
const calendarDays = { days: 1, weeks: 7 }

/** Years of four digits, which every date format of the service supports. */
const earliest = Date.parse("0001-01-02T00:00:00.000Z")
const latest = Date.parse("9999-12-30T00:00:00.000Z")

/** The date with this month and day in another year. 29 February is the 28th if that year has none. */
const inYear = (local: number, year: number): number => {
  const date = new Date(local)
  const month = date.getUTCMonth()
  const found = new Date(local)
  found.setUTCFullYear(year)
  if (found.getUTCMonth() !== month) found.setUTCDate(0)
  return found.getTime()
}

/** The text of the field, if it is a date. */
const dateIn = (field: string, { data, context }: MomentFields) => {
  const dot = field.indexOf(".")
  const value = valueAt(jsonPath(field.slice(dot + 1)), field.slice(0, dot) === "data" ? data : context)
  const date = typeof value === "string" ? isoDate(value) : undefined
  return date && { start: date.start, isDay: date.end - date.start === dayMillis }
}

/** `since` is when the wait began: an anniversary is the first after it. */
const fieldMoment = (
  { time, offset, anniversary, ...until }: Until & { readonly field: string },
  fields: MomentFields,
  since: number,
  zone: DateTime.TimeZone
): number | undefined => {
  const date = dateIn(until.field, fields)
  if (date === undefined) return undefined
  const { amount = 0, unit = "minutes" } = offset ?? {}
  const [days, millis] =
    unit === "days" || unit === "weeks" ? [amount * calendarDays[unit], 0] : [0, amount * exactMillis[unit]]
  const isExact = !date.isDay && time == null && days === 0 && anniversary !== true
  if (isExact) return date.start + millis
  const local = date.isDay ? date.start : localMillis(date.start, zone)
  const moment = date.isDay || time != null ? localDay(local) + timeMillis(time ?? defaultTime) : local
  const shifted = (at: number) => instantOf(at + days * dayMillis, zone) + millis
  if (anniversary !== true) return shifted(moment)
  const first = new Date(localMillis(since, zone) - days * dayMillis - millis).getUTCFullYear() - 1
  for (let year = first; ; year++) {
    const found = shifted(inYear(moment, year))
    if (found > since) return found
  }
}

const inRange = (instant: number | undefined): number | undefined =>
  instant !== undefined && instant >= earliest && instant <= latest ? instant : undefined

/** Undefined if the field has no date. */
export const momentOf = (
  until: Until,
  fields: MomentFields,
  since: number,
  zone: DateTime.TimeZone
): number | undefined => {
  const { date, field, time, weekdays } = until
  if (field != null) return inRange(fieldMoment({ ...until, field }, fields, since, zone))
  const at = timeMillis(time ?? defaultTime)
  if (weekdays != null) return nextWeekday(weekdays, at, since, zone)
  return inRange(instantOf((isoDate(date ?? "")?.start ?? 0) + at, zone))
}

/** The names of the contact's fields on which the moment depends, as in `ChangeNotes.ts`. */
export const fieldNames = ({ field }: Until): ReadonlyArray<string> => {
  if (field == null || !field.startsWith("data.")) return []
  const { key, steps } = jsonPath(field.slice("data.".length))
  return [...new Set([key, ...steps.slice(0, 1)])].map(dataName)
}

/** A window of time as part of a query. Dates are days in the time zone. */
import { Schema } from "effect"
import { DateQuery, described } from "../../platform/Primitives.ts"
import { Timezone } from "./Project.ts"

export const WindowQuery = {
  startDate: Schema.optionalKey(DateQuery).pipe(
    described("Start, inclusive: a date (`2026-03-01`) or a date-time, ISO 8601. At most 366 days before the end.")
  ),
  endDate: Schema.optionalKey(DateQuery).pipe(
    described("End: a date-time, exclusive, or a date, whose whole day counts. Default: now.")
  ),
  timezone: Schema.optionalKey(Timezone).pipe(described("IANA name. Default: the time zone of the project."))
}
export interface WindowQuery extends Schema.Struct.Type<typeof WindowQuery> {}

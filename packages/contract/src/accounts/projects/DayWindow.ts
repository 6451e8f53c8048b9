/** Times of the day in a time zone. */
import { Schema, SchemaIssue } from "effect"
import { described, isWithin, optional, required } from "../../platform/Primitives.ts"
import { Timezone } from "./Project.ts"

const isZone = Schema.is(Timezone)
const notAZone = "CONTACT, PROJECT or an IANA time zone."

/** The zone of the contact, of the project, or a named one. */
export const ZoneChoice = Schema.String.check(
  isWithin(100, notAZone),
  Schema.makeFilter((name: string) => name === "CONTACT" || name === "PROJECT" || isZone(name), { message: notAZone })
).pipe(
  described(
    "`CONTACT`: the time zone of the contact, else that of the project. `PROJECT`: that of the project. Or an IANA name such as `Europe/Berlin`.",
    "CONTACT"
  )
)

export const Weekday = Schema.Literals(["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"])
export type Weekday = typeof Weekday.Type

const isOnceEach = Schema.makeFilter<ReadonlyArray<string>>(
  (days) =>
    new Set(days).size === days.length || new SchemaIssue.InvalidValue({ code: "custom", message: "Each day once." })
)

/** 1 to 7 different days of the week. */
export const Weekdays = Schema.Array(Weekday).check(
  Schema.isMinLength(1, { code: "too_small", message: "At least one day." }),
  Schema.isMaxLength(7, { code: "too_big", message: "At most 7 days." }),
  isOnceEach
)

const notATime = "A time such as 09:30."
export const TimeOfDay = Schema.String.check(
  isWithin(5, notATime),
  Schema.isPattern(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { message: notATime })
)

/** A window of the day in a zone. */
export const dayWindow = {
  days: optional(Weekdays).pipe(described("The days on which the window opens. Default: every day.")),
  from: required(TimeOfDay).pipe(described("When it opens, as `HH:MM`.")),
  to: required(TimeOfDay).pipe(
    described("When it closes, as `HH:MM`. Before `from`: on the next day. Never the same as `from`.")
  ),
  timezone: optional(ZoneChoice)
}

/** A window from a time to the same time is refused. */
export const isWindow = Schema.makeFilter<{ readonly from: string; readonly to: string }>(({ from, to }) =>
  from === to
    ? [{ path: ["to"], issue: new SchemaIssue.InvalidValue({ code: "custom", message: "Not the same as `from`." }) }]
    : []
)

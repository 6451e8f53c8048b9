/** The configs of the steps that wait for a time: DELAY, TIME_WINDOW and RATE_LIMIT. */
import { Schema, SchemaIssue } from "effect"
import { dayWindow, isWindow, TimeOfDay, Weekdays, ZoneChoice } from "../../accounts/projects/DayWindow.ts"
import { isoDate } from "../../audience/filters/IsoDate.ts"
import { described, isOneLine, isWithin, optional, required } from "../../platform/Primitives.ts"

const fault = (path: ReadonlyArray<string>, code: string, message: string): Schema.FilterIssue => ({
  path,
  issue: new SchemaIssue.InvalidValue({ code, message })
})

const secondsIn = { minutes: 60, hours: 3_600, days: 86_400, weeks: 604_800 }
const maxDays = 365

const Unit = Schema.Literals(["minutes", "hours", "days", "weeks"])

/** A time that has passed. A day is 24 hours. */
interface Span {
  readonly amount: number
  readonly unit: typeof Unit.Type
}

/** Whole seconds, rounded up, at least 1. */
const spanSeconds = ({ amount, unit }: Span): number => {
  const seconds = amount * secondsIn[unit]
  // 1.1 minutes are 66.00000000000001 seconds in floating point.
  return Math.max(1, Math.ceil(Number(seconds.toPrecision(12))))
}

const notAField = "A path such as data.trialEnds or event.endsAt."
const notADate = "A date such as 2026-12-24."

const Offset = Schema.Struct({
  amount: required(
    Schema.Int.check(
      Schema.isGreaterThanOrEqualTo(-365, { message: "At least -365." }),
      Schema.isLessThanOrEqualTo(365, { message: "At most 365." })
    )
  ).pipe(described("From -365 to 365. Less than 0: before the date.")),
  unit: required(Unit).pipe(described("Days and weeks are of the calendar; minutes and hours are exact."))
})

const until = {
  weekdays: optional(Weekdays).pipe(described("The next of these days at `time`.")),
  date: optional(
    Schema.String.check(
      isWithin(10, notADate),
      Schema.makeFilter((text: string) => text.length === 10 && isoDate(text) !== undefined, { message: notADate })
    )
  ).pipe(described("This day at `time`. A moment that has passed goes on at once.")),
  field: optional(
    Schema.String.check(
      isWithin(300, notAField),
      isOneLine,
      Schema.makeFilter((path: string) => /^(?:data|event)\../.test(path), { message: notAField })
    )
  ).pipe(
    described(
      "The date in this field: `data.<path>` of the contact, `event.<path>` of the execution. It is read again at the due time."
    )
  ),
  time: optional(TimeOfDay).pipe(
    described(
      "Required with `weekdays` and `date`. With `field`: the time on the day of the date; default for a date without a time: 09:00."
    )
  ),
  timezone: optional(ZoneChoice),
  offset: optional(Offset).annotateKey({ description: "Only with `field`: so long after the date, or before it." }),
  anniversary: optional(Schema.Boolean).pipe(
    described("Only with `field`: the next return of the day and month. 29 February is the 28th in other years.")
  )
}

const kinds = ["weekdays", "date", "field"] as const

const Until = Schema.Struct(until).check(
  Schema.makeFilter((given) => {
    const [kind, ...others] = kinds.filter((each) => given[each] != null)
    if (kind === undefined) return [fault([], "required", "One of `weekdays`, `date` and `field`.")]
    if (others.length > 0) return others.map((each) => fault([each], "custom", `Not beside \`${kind}\`.`))
    if (kind === "field") return []
    return [
      ...(given.time == null ? [fault(["time"], "required", "Required.")] : []),
      ...(["offset", "anniversary"] as const).flatMap((each) =>
        given[each] == null ? [] : [fault([each], "custom", "Only beside `field`.")]
      )
    ]
  })
)
export type Until = typeof Until.Type

const delay = {
  amount: optional(Schema.Finite.check(Schema.isGreaterThan(0, { message: "Must be more than 0." }))).pipe(
    described(`How many units. With \`unit\`, at most ${maxDays} days.`)
  ),
  unit: optional(Unit),
  until: optional(Until).annotateKey({ description: "Waits until a moment, in place of `amount` and `unit`." })
}

function* delayFaults({ amount, unit, until }: typeof DelayFields.Type): Generator<Schema.FilterIssue> {
  if (until != null) {
    if (amount != null || unit != null) yield fault(["until"], "custom", "Not beside `amount` and `unit`.")
    return
  }
  if (amount == null) yield fault(["amount"], "required", "Required.")
  if (unit == null) yield fault(["unit"], "required", "Required.")
  if (amount != null && unit != null && spanSeconds({ amount, unit }) > maxDays * secondsIn.days) {
    yield fault(["amount"], "too_big", `At most ${maxDays} days in all.`)
  }
}

const DelayFields = Schema.Struct(delay).annotate({
  identifier: "DelayConfig",
  description:
    "Config of a `DELAY` step: `amount` and `unit`, or `until`. With `until.field` it has the branches `missing` for a contact without a date and `passed` for one in the past."
})

export const DelayConfig = DelayFields.check(Schema.makeFilter((config) => [...delayFaults(config)]))
export type DelayConfig = typeof DelayConfig.Type

/** The length of the delay. Undefined if it waits until a moment. */
export const delaySeconds = ({ amount, unit }: DelayConfig): number | undefined =>
  amount == null || unit == null ? undefined : spanSeconds({ amount, unit })

/** The branches of a stored config. */
export const delayBranches = (config: Schema.JsonObject): ReadonlyArray<string | null> =>
  (config as DelayConfig).until?.field == null ? [null] : [null, "missing", "passed"]

const WindowFields = Schema.Struct(dayWindow).annotate({
  identifier: "TimeWindowConfig",
  description: "Config of a `TIME_WINDOW` step. Within the window an execution goes on at once, else when it opens."
})

export const TimeWindowConfig = WindowFields.check(isWindow)
export type TimeWindowConfig = typeof TimeWindowConfig.Type

export const RateLimitConfig = Schema.Struct({
  limit: required(
    Schema.Int.check(
      Schema.isGreaterThanOrEqualTo(1, { message: "At least 1." }),
      Schema.isLessThanOrEqualTo(1_000_000, { message: "At most 1000000." })
    )
  ).pipe(described("How many executions go on in each `per`, 1 to 1000000.")),
  per: required(Schema.Literals(["minute", "hour", "day"])),
  onExceeded: optional(Schema.Literals(["WAIT", "BRANCH"])).pipe(
    described(
      "`WAIT`: the others wait, and go on at even distances. `BRANCH`: the others take the branch `exceeded`; minutes, hours and days are those of the project's time zone.",
      "WAIT"
    )
  ),
  maxWaitHours: optional(
    Schema.Int.check(
      Schema.isGreaterThanOrEqualTo(1, { message: "At least 1." }),
      Schema.isLessThanOrEqualTo(8_760, { message: "At most 8760." })
    )
  ).pipe(described("An execution that would wait longer takes the branch `exceeded` at once. 1 to 8760.", "168"))
}).annotate({
  identifier: "RateLimitConfig",
  description: "Config of a `RATE_LIMIT` step. The limit is for all executions of the workflow."
})
export type RateLimitConfig = typeof RateLimitConfig.Type

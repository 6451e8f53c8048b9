/** The warm-up of a sender domain: a cap for each day, which rises while the mail arrives well. */
import { Schema, SchemaIssue } from "effect"
import { TimeOfDay } from "../../accounts/projects/DayWindow.ts"
import { Timezone } from "../../accounts/projects/Project.ts"
import { isoDate } from "../../audience/filters/IsoDate.ts"
import { described, IntBetween, isWithin, listOf, optional, required } from "../../platform/Primitives.ts"

/** The caps of the presets, one for each step. */
export const warmupPresets = {
  STANDARD: [
    50, 100, 200, 400, 800, 1600, 3200, 6400, 9000, 13_000, 18_000, 25_000, 35_000, 49_000, 69_000, 97_000, 140_000
  ],
  FAST: [200, 400, 800, 1600, 3200, 6400, 13_000, 21_000, 34_000, 54_000, 86_000, 140_000, 220_000]
} as const satisfies { readonly [preset: string]: ReadonlyArray<number> }

export const WarmupPreset = Schema.Literals(["STANDARD", "FAST", "CUSTOM"])
export type WarmupPreset = typeof WarmupPreset.Type

const fault = (field: string, code: string, message: string): Schema.FilterIssue => ({
  path: [field],
  issue: new SchemaIssue.InvalidValue({ code, message })
})

const Caps = listOf(
  IntBetween(1, 10_000_000),
  Schema.isMinLength(1, { code: "too_small", message: "At least one cap." }),
  Schema.isMaxLength(90, { code: "too_big", message: "At most 90 caps." })
)

const notADate = "A date such as 2026-12-24."

const Hours = Schema.Struct({
  from: required(TimeOfDay).pipe(described("When the first mail of the day may leave, as `HH:MM`.")),
  to: required(TimeOfDay).pipe(described("When the whole cap of the day is free, as `HH:MM`, after `from`."))
}).check(Schema.makeFilter(({ from, to }) => (to > from ? [] : [fault("to", "custom", "Must be after `from`.")])))

const Rate = Schema.Finite.check(
  Schema.isGreaterThanOrEqualTo(0, { message: "At least 0." }),
  Schema.isLessThanOrEqualTo(100, { message: "At most 100." })
)

const rates = ["bounceRate", "complaintRate", "deferralRate"] as const
export type WarmupRate = (typeof rates)[number]

const LimitsInput = Schema.Struct({
  bounceRate: optional(Rate),
  complaintRate: optional(Rate),
  deferralRate: optional(Rate)
})

export const defaultHoldAt: WarmupLimits = { bounceRate: 3, complaintRate: 0.08, deferralRate: 10 }
export const defaultPauseAt: WarmupLimits = { bounceRate: 8, complaintRate: 0.2, deferralRate: 30 }

/** Body of `PUT /domains/{id}/warmup`. */
export const SetWarmup = Schema.Struct({
  preset: required(WarmupPreset).pipe(
    described(
      "`STANDARD`: 50 mails on the first day, 140,000 on the 17th. `FAST`: 200 to 220,000 in 13 days. `CUSTOM`: `caps`."
    )
  ),
  caps: optional(Caps).pipe(described("With `CUSTOM`: the cap of each step, 1 to 90, none below the one before it.")),
  startsOn: optional(
    Schema.String.check(
      isWithin(10, notADate),
      Schema.makeFilter((text: string) => text.length === 10 && isoDate(text) !== undefined, { message: notADate })
    )
  ).pipe(
    described(
      "The day on which the first step begins, at most a year ahead. Until then, bulk mail waits. Default: today, also for a day that has passed."
    )
  ),
  timezone: optional(Timezone).pipe(described("Where its days begin. Default: the time zone of the project.")),
  hours: optional(Hours).pipe(
    described(
      "The cap becomes free evenly over these hours. Nothing leaves before `from`; what is left stays free until midnight. Default: the whole day."
    )
  ),
  transactional: optional(Schema.Literals(["EXEMPT", "COUNT"])).pipe(
    described(
      "Mail of type TRANSACTIONAL outside of campaigns never waits. `EXEMPT`: it is not counted. `COUNT`: it is.",
      "EXEMPT"
    )
  ),
  holdAt: optional(LimitsInput).pipe(
    described("A day that reaches one of these percentages is repeated. Default: 3, 0.08 and 10.")
  ),
  pauseAt: optional(LimitsInput).pipe(
    described("A day that reaches one of these percentages pauses the plan at once. Default: 8, 0.2 and 30.")
  )
})
  .check(
    Schema.makeFilter(({ caps, preset }) => {
      if (preset !== "CUSTOM") return caps == null ? [] : [fault("caps", "custom", "Only with the preset CUSTOM.")]
      if (caps == null) return [fault("caps", "required", "Required with the preset CUSTOM.")]
      const falling = caps.findIndex((cap, step) => step > 0 && cap < (caps[step - 1] ?? 0))
      return falling < 0
        ? []
        : [
            {
              path: ["caps", falling],
              issue: new SchemaIssue.InvalidValue({ code: "custom", message: "Must not be below the cap before it." })
            }
          ]
    })
  )
  .annotate({ identifier: "SetWarmup" })
export type SetWarmup = typeof SetWarmup.Type

export const WarmupLimits = Schema.Struct({
  bounceRate: Schema.Finite.pipe(described("Bounces in percent of the mails of the day, from 50 mails on.")),
  complaintRate: Schema.Finite.pipe(described("Complaints in percent of the mails of the day, from 50 mails on.")),
  deferralRate: Schema.Finite.pipe(
    described("Mails that a server deferred in percent of the mails of the day, from 50 mails on.")
  )
}).annotate({ identifier: "WarmupLimits", description: "Percentages that end the rise of a warm-up." })
export type WarmupLimits = typeof WarmupLimits.Type

export const WarmupResult = Schema.Literals(["clean", "held", "unused", "paused"])
export type WarmupResult = typeof WarmupResult.Type

const figures = {
  bounced: Schema.Int.pipe(described("Mails whose bounce came on this day.")),
  complained: Schema.Int.pipe(described("Mails whose complaint came on this day.")),
  deferred: Schema.Int.pipe(described("Mails whose first deferral came on this day."))
}

export const WarmupFigures = Schema.Struct(figures).annotate({
  identifier: "WarmupFigures",
  description: "What came back on one day of a warm-up."
})

export const WarmupDay = Schema.Struct({
  date: Schema.String.pipe(described("As `2026-12-24`, in the time zone of the plan.")),
  step: Schema.Int,
  cap: Schema.Int,
  sent: Schema.Int.pipe(described("Mails that were taken for sending for the first time.")),
  ...figures,
  result: WarmupResult.pipe(
    described(
      "`clean`: the next step followed. `held`: it reached `holdAt`. `unused`: less than half of the cap was used. `paused`: the plan was paused. All but `clean` repeat the step."
    )
  )
}).annotate({ identifier: "WarmupDay", description: "One day of a warm-up that is over." })
export type WarmupDay = typeof WarmupDay.Type

export const WarmupStatus = Schema.Literals(["ACTIVE", "PAUSED", "COMPLETED"])
export type WarmupStatus = typeof WarmupStatus.Type

export const Warmup = Schema.Struct({
  transport: Schema.NullOr(Schema.String).pipe(
    described("The transport whose mail the plan is for. `null`: all mail of the domain.")
  ),
  preset: WarmupPreset,
  caps: Schema.NullOr(Schema.Array(Schema.Int)).pipe(described("With `CUSTOM`: the cap of each step.")),
  startsOn: Schema.String.pipe(described("The day of the first step.")),
  timezone: Schema.String,
  hours: Schema.NullOr(Schema.Struct({ from: Schema.String, to: Schema.String })).pipe(
    described("`null`: the whole day.")
  ),
  transactional: Schema.Literals(["EXEMPT", "COUNT"]),
  holdAt: WarmupLimits,
  pauseAt: WarmupLimits,
  status: WarmupStatus.pipe(
    described(
      "`ACTIVE`: the cap of the step holds. `PAUSED`: no bulk mail leaves until `resume`. `COMPLETED`: the day of the last step was clean, and there is no cap any more."
    )
  ),
  step: Schema.Int.pipe(described("From 1.")),
  cap: Schema.NullOr(Schema.Int).pipe(described("The cap of today. `null` when the plan is completed.")),
  sentToday: Schema.Int.pipe(described("Mails that were taken for sending for the first time today.")),
  freeNow: Schema.NullOr(Schema.Int).pipe(
    described("Mails that may leave at this moment. `null` when the plan is completed.")
  ),
  waiting: Schema.Int.pipe(
    described("Pending mails of the campaigns of the domain that are sending, and single mails that were put off.")
  ),
  today: WarmupFigures,
  days: Schema.Array(WarmupDay).pipe(described("The days that are over, at most the latest 400, the oldest first.")),
  completesOn: Schema.NullOr(Schema.String).pipe(
    described("The day of the last step if every day is clean. `null` while the plan is paused.")
  )
}).annotate({ identifier: "Warmup", description: "The warm-up of a sender domain." })
export type Warmup = typeof Warmup.Type

export const WarmupQuery = Schema.Struct({
  transport: Schema.optionalKey(
    Schema.String.check(
      isWithin(36, "The id of a transport, or a label such as smtp1."),
      Schema.isPattern(/^[\w-]{1,36}$/, { message: "The id of a transport, or a label such as smtp1." })
    )
  ).pipe(
    described(
      "The plan of mail that is tried there first: the id of a transport of the project, or the label of one of the installation, such as `smtp1`. Absent: the plan of all mail of the domain."
    )
  )
})
export type WarmupQuery = typeof WarmupQuery.Type

/** Reputation of a project as a sender. */
import { Schema } from "effect"
import { DisabledReason } from "../../platform/Auth.ts"
import { described, Timestamp } from "../../platform/Primitives.ts"

/** The measured rates: bounces and complaints, over seven days and over all time. */
export const StandingMetric = Schema.Literals(["bounce7Day", "bounceAllTime", "complaint7Day", "complaintAllTime"])
export type StandingMetric = typeof StandingMetric.Type

export const StandingLevel = Schema.Literals(["healthy", "warning", "critical"])
export type StandingLevel = typeof StandingLevel.Type

const perMetric = <S extends Schema.Top>(value: S) =>
  Schema.Struct({ bounce7Day: value, bounceAllTime: value, complaint7Day: value, complaintAllTime: value })

const percent = (decimals: string) => Schema.Finite.pipe(described(`In percent, with ${decimals} decimals.`))
const threshold = Schema.Struct({ warning: Schema.Finite, critical: Schema.Finite })

export const Suspension = Schema.Struct({
  reason: DisabledReason,
  metric: Schema.NullOr(StandingMetric).pipe(
    described("The rate that was too high. Null if the reason was not a rate.")
  ),
  value: Schema.NullOr(Schema.Finite).pipe(described("The rate in percent.")),
  at: Timestamp,
  liftedAt: Schema.NullOr(Timestamp).pipe(described("Null while the project is disabled."))
}).annotate({ identifier: "Suspension", description: "A period in which the project was disabled." })
export type Suspension = typeof Suspension.Type

export const SecurityState = Schema.Struct({
  status: Schema.Struct({
    sent7Day: Schema.Int,
    bounces7Day: Schema.Int,
    complaints7Day: Schema.Int,
    bounceRate7Day: percent("two"),
    complaintRate7Day: percent("three"),
    sentAllTime: Schema.Int.pipe(
      described(
        "Since the project was created, or since an operator last enabled it. This applies to all rates of all time."
      )
    ),
    bounceRateAllTime: percent("two"),
    complaintRateAllTime: percent("three"),
    violations: Schema.Array(StandingMetric).pipe(described("Critical rates.")),
    warnings: Schema.Array(StandingMetric).pipe(described("Rates close to critical."))
  }),
  levels: perMetric(StandingLevel),
  thresholds: Schema.Struct({ ...perMetric(threshold).fields, minimumEmails: Schema.Int }).pipe(
    described("In percent. A rate counts only from `minimumEmails` emails on.")
  ),
  isDisabled: Schema.Boolean,
  disabledReason: Schema.NullOr(DisabledReason),
  recentSuspensions: Schema.Array(Suspension).pipe(described("The last 20, newest first."))
}).annotate({ identifier: "SecurityState", description: "The sender reputation of a project." })
export type SecurityState = typeof SecurityState.Type

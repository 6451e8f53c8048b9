/** The experiment of a SPLIT: which branch is the best. */
import { Schema } from "effect"
import { AccountId } from "../../platform/Auth.ts"
import { described, Id, isLength, optional, required, Timestamp } from "../../platform/Primitives.ts"

const between = (min: number, max: number) =>
  Schema.Int.check(
    Schema.isGreaterThanOrEqualTo(min, { message: `At least ${min}.` }),
    Schema.isLessThanOrEqualTo(max, { message: `At most ${max}.` })
  )

/** What counts as a success of an experiment. */
export const Metric = Schema.Literals(["HUMAN_CLICK", "HUMAN_OPEN", "GOAL"])

/** The `experiment` in the config of a SPLIT step. */
export const ExperimentRules = Schema.Struct({
  metric: required(Metric).pipe(
    described(
      "What counts as a success: a click or an open by a person in a mail of the execution, or the goal of the workflow."
    )
  ),
  windowHours: optional(between(1, 720)).pipe(
    described("Hours after its visit in which a contact can be a success, 1 to 720.", "72")
  ),
  minimumPerBranch: optional(between(100, 100_000)).pipe(
    described("Judged contacts that every branch needs before the decision, 100 to 100000.", "500")
  ),
  confidence: optional(Schema.Literals([0.9, 0.95, 0.99])).pipe(described("0.9, 0.95 or 0.99.", "0.95")),
  winner: optional(Schema.Literals(["AUTOMATIC", "MANUAL"])).pipe(
    described("`AUTOMATIC`: a significantly better branch takes everybody. `MANUAL`: a person chooses.", "AUTOMATIC")
  ),
  fallback: optional(Schema.Literals(["CONTINUE", "FIRST"])).pipe(
    described(
      "When no branch is significantly better: `CONTINUE` splits on, `FIRST` takes the first branch.",
      "CONTINUE"
    )
  )
})
export type ExperimentRules = typeof ExperimentRules.Type

/** Body of `POST .../experiment/winner`. */
export const ChooseWinner = Schema.Struct({
  branch: required(Schema.String.check(isLength(1, 50))).pipe(described("The id of a branch of the step."))
}).annotate({ identifier: "ChooseWinner" })
export type ChooseWinner = typeof ChooseWinner.Type

/** The result of one variant. */
export const ExperimentVariant = Schema.Struct({
  key: Schema.String.pipe(described("The key of the variant, or the id of the branch.")),
  sent: Schema.Int.pipe(described("Its mails that left, or its contacts whose time is over.")),
  successes: Schema.Int,
  rate: Schema.Finite.pipe(described("From 0 to 1.")),
  low: Schema.Finite.pipe(described("Lower end of the 95 % interval of the rate.")),
  high: Schema.Finite.pipe(described("Upper end of the 95 % interval of the rate.")),
  pValue: Schema.NullOr(Schema.Finite).pipe(
    described("Of the difference to the best one, corrected for their number. `null` for the best one.")
  )
}).annotate({ identifier: "ExperimentVariant", description: "The result of one variant of an experiment." })

export const DecidedBy = Schema.Struct({
  kind: Schema.Literals(["AUTOMATIC", "USER", "KEY"]),
  userId: Schema.NullOr(AccountId)
}).annotate({ identifier: "DecidedBy", description: "Who decided an experiment." })
export type DecidedBy = typeof DecidedBy.Type

export const SplitExperiment = Schema.Struct({
  stepId: Id,
  metric: Metric,
  final: Schema.Boolean.pipe(described("Whether it is decided. Figures before that decide nothing.")),
  decidedAt: Schema.NullOr(Timestamp),
  winner: Schema.NullOr(Schema.String).pipe(
    described("The branch that everybody takes. `null`: the contacts are split.")
  ),
  decidedBy: Schema.NullOr(DecidedBy),
  significant: Schema.Boolean.pipe(described("Whether the best branch is better by more than chance.")),
  variants: Schema.Array(ExperimentVariant).pipe(described("The branches, in their order.")),
  detectable: Schema.NullOr(Schema.Finite).pipe(
    described("The difference in percentage points that this many contacts would show. `null` with none.")
  )
}).annotate({ identifier: "SplitExperiment", description: "The figures of the experiment of a SPLIT step." })
export type SplitExperiment = typeof SplitExperiment.Type

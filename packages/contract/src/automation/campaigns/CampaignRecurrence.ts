/** A campaign that is sent again and again: each firing makes a campaign of its own. */
import { Schema } from "effect"
import { Timezone } from "../../accounts/projects/Project.ts"
import {
  described,
  IntBetween,
  isOneLine,
  optional,
  required,
  Timestamp,
  TimestampInput,
  Trimmed
} from "../../platform/Primitives.ts"

export const CampaignRecurrence = Schema.Struct({
  schedule: Schema.String.pipe(described("A cron expression of five fields: minute hour day month weekday.")),
  timezone: Schema.String.pipe(described("In which the schedule is read.")),
  endsAt: Schema.NullOr(Timestamp).pipe(described("No firing after it.")),
  maxRuns: Schema.NullOr(Schema.Int).pipe(described("The number of firings, at most.")),
  enabled: Schema.Boolean,
  runs: Schema.Int.pipe(described("Firings so far.")),
  nextAt: Schema.NullOr(Timestamp).pipe(
    described("The time of the next campaign. Null if there is none: it is disabled, or over.")
  )
}).annotate({ identifier: "CampaignRecurrence", description: "When copies of the draft are sent." })
export type CampaignRecurrence = typeof CampaignRecurrence.Type

/** Body of `PUT /campaigns/{id}/recurrence`. */
export const SetRecurrence = Schema.Struct({
  schedule: required(Trimmed(1, 200).check(isOneLine)).pipe(
    described(
      "A cron expression of five fields: minute hour day month weekday. Two firings are at least an hour apart. A local time that a clock change skips fires at the first minute after it, and one that occurs twice fires once."
    )
  ),
  timezone: optional(Timezone).pipe(described("In which the schedule is read. Default: the time zone of the project.")),
  endsAt: optional(TimestampInput).pipe(described("No firing after it. In the future.")),
  maxRuns: optional(IntBetween(1, 1000)).pipe(described("The number of firings, at most.")),
  enabled: required(Schema.Boolean)
}).annotate({ identifier: "SetRecurrence" })
export type SetRecurrence = typeof SetRecurrence.Type

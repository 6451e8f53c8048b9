/** Conversions of campaigns and workflows, and the revenue that they brought. */
import { Schema } from "effect"
import { RevenueSum } from "../../automation/workflows/WorkflowReport.ts"
import { DateQuery, described } from "../../platform/Primitives.ts"

const By = Schema.Literals(["day", "campaign", "workflow"])
export type ConversionsBy = typeof By.Type

export const ConversionsQuery = Schema.Struct({
  by: Schema.optionalKey(By).pipe(described("What a row stands for.", "day")),
  startDate: Schema.optionalKey(DateQuery).pipe(
    described(
      "Start, inclusive: a date (`2026-03-01`) or a date-time, ISO 8601, at most 366 days before the end. Its whole day in UTC counts."
    )
  ),
  endDate: Schema.optionalKey(DateQuery).pipe(
    described("End: a date or a date-time, ISO 8601. Its whole day in UTC counts. Default: now.")
  )
})
export type ConversionsQuery = typeof ConversionsQuery.Type

export const Conversions = Schema.Array(
  Schema.Struct({
    key: Schema.String.pipe(described("The day in UTC, as `2026-03-01`, or the id of the campaign or workflow.")),
    name: Schema.NullOr(Schema.String).pipe(described("Of the campaign or workflow. `null` for a day.")),
    conversions: Schema.Int,
    revenue: Schema.Array(RevenueSum).pipe(described("By currency."))
  }).annotate({ identifier: "ConversionSums", description: "Conversions of one day, campaign or workflow." })
).annotate({
  identifier: "Conversions",
  description: "Days with conversions, earliest first; campaigns and workflows with the most conversions first."
})
export type Conversions = typeof Conversions.Type

/** Sums of conversions by day, campaign or workflow, from the totals that each conversion adds to. */
import type { Conversions, ConversionsQuery } from "@posthorn/contract/insight/analytics/Conversions"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { dayFrom, dayOf } from "../../platform/QuarterHours.ts"
import { dateWindow } from "../../platform/TimeWindows.ts"

const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      key: Schema.String,
      name: Schema.NullOr(Schema.String),
      conversions: Schema.Int,
      revenue: Schema.Array(Schema.Struct({ currency: Schema.String, amount: Schema.Finite }))
    })
  )
)

/** Campaigns and workflows that an answer has at most. */
const most = 500

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const ofDay = (at: DateTime.Utc) => sql`${DateTime.formatIsoDateUtc(at)}::date`

  const owners = (owner: "CAMPAIGN" | "WORKFLOW", table: "campaigns" | "workflows", range: Statement.Fragment) => sql`
    select totals.owner_id::text as key, named.name, sum(conversions) as conversions, currency, sum(amount) as amount
    from conversion_totals as totals
    join ${sql(table)} as named on named.project_id = totals.project_id and named.id = totals.owner_id
    where ${range} and owner = ${owner}
    group by 1, 2, 4`

  const sums = {
    day: (range: Statement.Fragment) => sql`
      select day::text as key, null::text as name, sum(conversions) as conversions, currency, sum(amount) as amount
      from conversion_totals as totals where ${range} group by 1, 4`,
    campaign: (range: Statement.Fragment) => owners("CAMPAIGN", "campaigns", range),
    workflow: (range: Statement.Fragment) => owners("WORKFLOW", "workflows", range)
  }

  /** A range counts whole days in UTC. */
  const conversions = Effect.fn("ConversionSums.conversions")(function* (
    project: ProjectId,
    { by = "day", ...given }: ConversionsQuery
  ) {
    const { from, until } = yield* dateWindow(given, "UTC")
    const range = sql`
      totals.project_id = ${project} and day >= ${ofDay(dayOf(from))} and day < ${ofDay(dayFrom(until))}`
    const order = by === "day" ? sql`key` : sql`conversions desc, key`
    return yield* sql`
      select key, name, sum(conversions)::int as conversions,
             coalesce(jsonb_agg(jsonb_build_object('currency', currency, 'amount', amount) order by currency)
               filter (where currency <> ''), '[]') as revenue
      from (${sums[by](range)}) as sums
      group by key, name order by ${order} limit ${most}`.pipe(
      Effect.flatMap(rows),
      Effect.orDie,
      Effect.map((found): Conversions => found)
    )
  })

  return { conversions }
})

/** Results of a campaign by variant, by hour and by mailbox provider, from its totals: no mail is counted. */
import type { CampaignId } from "@posthorn/contract/automation/campaigns/Campaign"
import type {
  CampaignReport,
  CampaignReportQuery,
  ReportBy
} from "@posthorn/contract/automation/campaigns/CampaignReport"
import { RevenueSum } from "@posthorn/contract/automation/workflows/WorkflowReport"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as RollUp from "../../platform/RollUp.ts"
import { counterColumns, hourFormat, resultColumns } from "./CampaignRow.ts"

const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      key: Schema.String,
      sent: Schema.Int,
      delivered: Schema.Int,
      humanOpened: Schema.Int,
      humanClicked: Schema.Int,
      bounced: Schema.Int,
      complained: Schema.Int,
      unsubscribed: Schema.Int,
      deferred: Schema.Int,
      converted: Schema.Int
    })
  )
)

/** The money is blank of events without revenue. */
const sumRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ key: Schema.String, ...RevenueSum.fields, events: Schema.Int }))
)

const noResults = {
  sent: 0,
  delivered: 0,
  humanOpened: 0,
  humanClicked: 0,
  bounced: 0,
  complained: 0,
  unsubscribed: 0,
  deferred: 0,
  converted: 0
}

/** The days after the start of which the hours are shown. */
const days = 30

/** The key of each kind of row, as text, and the order of the rows. */
const keys: { readonly [By in ReportBy]: { readonly key: string; readonly order: string } } = {
  variant: { key: "coalesce(nullif(variant, ''), 'A')", order: "1" },
  hour: { key: `to_char(hour at time zone 'UTC', '${hourFormat}')`, order: "1" },
  provider: { key: "provider", order: "sent desc, 1" }
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const columns = sql.literal(resultColumns.join(", "))

  /** The variant of mail without variants is blank, and shown as `A`. */
  const ofVariant = (variant: CampaignReportQuery["variant"]): Statement.Fragment =>
    variant === undefined ? sql`true` : sql`coalesce(nullif(variant, ''), 'A') = ${variant}`

  const conversionsOf = Effect.fnUntraced(function* (
    project: ProjectId,
    id: CampaignId,
    by: ReportBy,
    variant: CampaignReportQuery["variant"],
    until: Date | null
  ) {
    const sums = yield* sumRows(
      by === "variant"
        ? yield* sql`
            select coalesce(nullif(variant, ''), 'A') as key, currency, sum(amount)::float8 as amount,
                   sum(events)::int as events
            from conversion_totals
            where project_id = ${project} and owner = 'CAMPAIGN' and owner_id = ${id} and ${ofVariant(variant)}
            group by 1, 2 order by 2`
        : yield* sql`
            select key, currency, sum(amount)::float8 as amount, 0 as events from campaign_revenues
            where project_id = ${project} and campaign_id = ${id} and kind = ${by} and ${ofVariant(variant)}
              and ${by === "hour" ? sql`key < to_char(${until}::timestamptz at time zone 'UTC', ${hourFormat})` : sql`true`}
            group by 1, 2 order by 2`
    )
    return Map.groupBy(sums, ({ key }) => key)
  })

  /** `startedAt` is null before the start: then there is no hour. */
  const report = Effect.fn("CampaignReports.report")(function* (
    project: ProjectId,
    id: CampaignId,
    startedAt: DateTime.Utc | null,
    { by = "variant", variant }: CampaignReportQuery
  ): Effect.fn.Return<CampaignReport, unknown> {
    const own = sql`project_id = ${project} and campaign_id = ${id} and ${ofVariant(variant)}`
    const until = startedAt === null ? null : DateTime.toDate(DateTime.add(startedAt, { days }))
    const parts =
      by === "hour"
        ? sql`
            select hour, ${columns} from campaign_hours where ${own} and hour < ${until}::timestamptz
            union all
            select hour, ${columns} from campaign_deltas where ${own} and hour < ${until}::timestamptz`
        : sql`
            select variant, provider, ${columns} from campaign_results where ${own}
            union all
            select variant, coalesce(provider, ''), ${columns} from campaign_deltas where ${own}`
    const { key, order } = keys[by]
    const found = yield* rows(
      yield* sql`
        select ${sql.literal(key)} as key, sum(sent)::int as sent, sum(delivered)::int as delivered,
               sum(opened - machine_opened)::int as "humanOpened", sum(clicked - machine_clicked)::int as "humanClicked",
               sum(bounced)::int as bounced, sum(complained)::int as complained, sum(unsubscribed)::int as unsubscribed,
               sum(deferred)::int as deferred, sum(converted)::int as converted
        from (${parts}) as parts ${by === "provider" ? sql`where provider <> ''` : sql``}
        group by 1 having (${sql.literal(resultColumns.map((name) => `sum(${name})`).join(", "))})
          is distinct from (${sql.literal(resultColumns.map(() => "0").join(", "))})
        order by ${sql.literal(order)}`
    )
    const brought = yield* conversionsOf(project, id, by, variant, until)
    // A later event of a contact brings revenue to an hour without any other result.
    const known = new Set(found.map(({ key }) => key))
    const others = [...brought.keys()].filter((key) => !known.has(key)).map((key) => ({ key, ...noResults }))
    const all = [...found, ...others]
    if (by === "hour") all.sort((one, other) => (one.key < other.key ? -1 : 1))
    return {
      by,
      rows: all.map((row) => {
        const sums = brought.get(row.key) ?? []
        return {
          ...row,
          ...(by === "variant" && { conversionEvents: sums.reduce((all, { events }) => all + events, 0) }),
          revenue: sums.flatMap(({ currency, amount }) => (currency === "" ? [] : [{ currency, amount }]))
        }
      })
    }
  }, Effect.orDie)

  return { report }
})

const exists = "exists (select from campaigns where project_id = taken.project_id and id = taken.campaign_id)"

/** Adds a batch of deltas to the counters and the totals. Those of deleted campaigns are dropped. */
export const rollUp = (sql: SqlClient.SqlClient) => {
  const own = { project_id: "project_id", campaign_id: "campaign_id", variant: "variant" }
  return RollUp.rollUp(sql, {
    deltas: "campaign_deltas",
    totals: "campaign_counts",
    key: ["project_id", "campaign_id"],
    sums: counterColumns,
    where: exists,
    also: [
      {
        totals: "campaign_results",
        key: { ...own, provider: "coalesce(provider, '')" },
        sums: resultColumns,
        where: exists
      },
      {
        totals: "campaign_hours",
        key: { ...own, hour: "hour" },
        sums: resultColumns,
        where: `hour is not null and ${exists}`
      }
    ]
  })
}

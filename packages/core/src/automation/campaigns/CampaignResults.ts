/** Statistics of the campaigns of a project, from their counters. */

import { CampaignId, CampaignStatus } from "@posthorn/contract/automation/campaigns/Campaign"
import type { CampaignFigures, CampaignMetric } from "@posthorn/contract/insight/analytics/Analytics"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { DateRange } from "../../platform/DateRange.ts"
import { tally } from "./CampaignRow.ts"

export type CampaignCounts = Omit<CampaignFigures, "openRate" | "clickRate">

export interface StatusCount {
  readonly status: CampaignStatus
  readonly campaigns: number
  /** Campaigns that sent mail. The next two fields are the sums of their rates, each a share from 0 to 1. */
  readonly senders: number
  readonly openRates: number
  readonly clickRates: number
}

const countRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: CampaignId,
      name: Schema.String,
      subject: Schema.String,
      sentCount: Schema.Int,
      deliveredCount: Schema.Int,
      openedCount: Schema.Int,
      clickedCount: Schema.Int,
      bouncedCount: Schema.Int
    })
  )
)
const statusRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      status: CampaignStatus,
      campaigns: Schema.Int,
      senders: Schema.Int,
      openRates: Schema.Finite,
      clickRates: Schema.Finite
    })
  )
)

const share = (counter: string) => `coalesce(tally.${counter}::float8 / nullif(tally.sent, 0), 0)`

const orders: { readonly [Metric in CampaignMetric]: string } = {
  opened: "tally.opened",
  clicked: "tally.clicked",
  delivered: "tally.delivered",
  sent: "tally.sent",
  bounced: "tally.bounced",
  openRate: share("opened"),
  clickRate: share("clicked")
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const matching = (project: ProjectId, column: "created_at" | "sent_at", { from, until }: DateRange) =>
    sql.and([
      sql`campaigns.project_id = ${project}`,
      ...(from === undefined ? [] : [sql`${sql(column)} >= ${DateTime.toDate(from)}`]),
      ...(until === undefined ? [] : [sql`${sql(column)} < ${DateTime.toDate(until)}`])
    ])

  const figures = sql.literal(`
    select campaigns.id, name, subject, tally.sent as "sentCount", tally.delivered as "deliveredCount",
           tally.opened as "openedCount", tally.clicked as "clickedCount", tally.bounced as "bouncedCount"
    from campaigns ${tally}`)
  const isStarted = sql`status in ('SENT', 'SENDING')`

  return {
    /** Campaigns that are sent or being sent, and started in the range; highest first. */
    top: (project: ProjectId, metric: CampaignMetric, range: DateRange, limit: number) =>
      sql`
        ${figures} where ${matching(project, "sent_at", range)} and ${isStarted}
        order by ${sql.literal(orders[metric])} desc, sent_at desc, campaigns.id limit ${limit}`.pipe(
        Effect.flatMap(countRows),
        Effect.orDie
      ),
    /** Campaigns that are sent or being sent, and were created in the range; newest first. */
    newest: (project: ProjectId, range: DateRange, limit: number) =>
      sql`
        ${figures} where ${matching(project, "created_at", range)} and ${isStarted}
        order by created_at desc, campaigns.id desc limit ${limit}`.pipe(Effect.flatMap(countRows), Effect.orDie),
    /** Campaigns that were created in the range, by state. A state without campaigns is missing. */
    byStatus: (project: ProjectId, range: DateRange) =>
      sql`
        select status, count(*)::int as campaigns, (count(*) filter (where tally.sent > 0))::int as senders,
               sum(${sql.literal(share("opened"))}) as "openRates", sum(${sql.literal(share("clicked"))}) as "clickRates"
        from campaigns ${sql.literal(tally)} where ${matching(project, "created_at", range)}
        group by status`.pipe(Effect.flatMap(statusRows), Effect.orDie)
  }
})

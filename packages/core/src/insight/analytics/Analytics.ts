/** Statistics of mail, campaigns and events. */

import type { WindowQuery } from "@posthorn/contract/accounts/projects/WindowQuery"
import type {
  CampaignOverview,
  CampaignOverviewQuery,
  ProviderResults,
  ProvidersQuery,
  Timeseries,
  TimeseriesQuery,
  TopCampaigns,
  TopCampaignsQuery,
  TopEvents,
  TopEventsQuery
} from "@posthorn/contract/insight/analytics/Analytics"
import type { Conversions, ConversionsQuery } from "@posthorn/contract/insight/analytics/Conversions"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { BadRequest } from "@posthorn/contract/platform/Errors"
import { pageSize } from "@posthorn/contract/platform/Primitives"
import { Array, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { Projects } from "../../accounts/projects/Projects.ts"
import * as CampaignResults from "../../automation/campaigns/CampaignResults.ts"
import * as EventTotals from "../../events/EventTotals.ts"
import { percentage, providerRates } from "../../platform/Rates.ts"
import { reading } from "../../platform/ReadSqlClient.ts"
import { dateWindow, openWindow, windowDays } from "../../platform/TimeWindows.ts"
import * as ConversionSums from "./ConversionSums.ts"
import * as MailTotals from "./MailTotals.ts"

export interface Analytics {
  /** Every whole day in the time zone, including days without any mail. */
  readonly timeseries: (project: ProjectId, query: TimeseriesQuery) => Effect.Effect<Timeseries, BadRequest>
  readonly providers: (project: ProjectId, query: ProvidersQuery) => Effect.Effect<ProviderResults, BadRequest>
  readonly topCampaigns: (project: ProjectId, query: TopCampaignsQuery) => Effect.Effect<TopCampaigns, BadRequest>
  readonly campaignStats: (
    project: ProjectId,
    query: CampaignOverviewQuery
  ) => Effect.Effect<CampaignOverview, BadRequest>
  /** By day, campaign or workflow. */
  readonly conversions: (project: ProjectId, query: ConversionsQuery) => Effect.Effect<Conversions, BadRequest>
  readonly topEvents: (project: ProjectId, query: TopEventsQuery) => Effect.Effect<TopEvents, BadRequest>
}

const withRates = (counts: CampaignResults.CampaignCounts) => ({
  ...counts,
  openRate: percentage(counts.openedCount, counts.sentCount),
  clickRate: percentage(counts.clickedCount, counts.sentCount)
})

/** The change in percent. */
const trendOf = (count: number, before: number) => (before === 0 ? 100 : percentage(count - before, before))

const none = {
  sent: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  bounced: 0,
  complained: 0,
  machineOpened: 0,
  machineClicked: 0
}

export type Needs = EventTotals.Needs | MailTotals.Needs | Projects | SqlClient.SqlClient

export const make: Effect.Effect<Analytics, never, Needs> = Effect.gen(function* () {
  const campaigns = yield* reading(CampaignResults.make)
  const { conversions } = yield* reading(ConversionSums.make)
  const events = yield* reading(EventTotals.make)
  const mails = yield* reading(MailTotals.make)
  const projects = yield* Projects

  const zoneOf = (project: ProjectId) => Effect.map(Effect.orDie(projects.getCached(project)), (_) => _.timezone)

  const openRange = (project: ProjectId, query: WindowQuery) =>
    Effect.flatMap(zoneOf(project), (zone) => openWindow(query, zone))

  const timeseries = Effect.fn("Analytics.timeseries")(function* (project: ProjectId, query: TimeseriesQuery) {
    const { dates, starts } = yield* windowDays(query, yield* zoneOf(project))
    const sums = yield* mails.byDay(project, starts)
    const machines = query.includeMachine === false ? 1 : 0
    return dates.map((date, day) => {
      const counted = sums.get(day) ?? none
      return {
        date,
        emails: counted.sent,
        delivered: counted.delivered,
        opens: counted.opened - machines * counted.machineOpened,
        clicks: counted.clicked - machines * counted.machineClicked,
        bounces: counted.bounced,
        complaints: counted.complained
      }
    })
  })

  const providers = Effect.fn("Analytics.providers")(function* (project: ProjectId, query: ProvidersQuery) {
    const { starts } = yield* windowDays(query, yield* zoneOf(project))
    if (!Array.isReadonlyArrayNonEmpty(starts)) return []
    const window = { from: Array.headNonEmpty(starts), until: Array.lastNonEmpty(starts) }
    return (yield* mails.byProvider(project, window)).map(providerRates)
  })

  const topCampaigns = Effect.fn("Analytics.topCampaigns")(function* (project: ProjectId, query: TopCampaignsQuery) {
    const { metric = "opened", limit = 10 } = query
    const found = yield* campaigns.top(project, metric, yield* openRange(project, query), Math.min(limit, 50))
    return found.map(withRates)
  })

  const campaignStats = Effect.fn("Analytics.campaignStats")(function* (
    project: ProjectId,
    query: CampaignOverviewQuery
  ) {
    const range = yield* openRange(project, query)
    const found = yield* campaigns.byStatus(project, range)
    const sum = (of: (row: (typeof found)[number]) => number) => found.reduce((total, row) => total + of(row), 0)
    const byStatus = { DRAFT: 0, SCHEDULED: 0, SENDING: 0, SENT: 0, CANCELLED: 0 }
    for (const { status, campaigns } of found) byStatus[status] = campaigns
    const senders = sum(({ senders }) => senders)
    return {
      total: sum(({ campaigns }) => campaigns),
      active: byStatus.DRAFT + byStatus.SCHEDULED + byStatus.SENDING,
      completed: byStatus.SENT,
      averageOpenRate: percentage(
        sum(({ openRates }) => openRates),
        senders
      ),
      averageClickRate: percentage(
        sum(({ clickRates }) => clickRates),
        senders
      ),
      byStatus,
      campaigns: (yield* campaigns.newest(project, range, pageSize(query))).map(withRates)
    }
  })

  const topEvents = Effect.fn("Analytics.topEvents")(function* (project: ProjectId, query: TopEventsQuery) {
    const window = yield* dateWindow(query, yield* zoneOf(project))
    const found = yield* events.mostFrequent(project, window, Math.min(query.limit ?? 5, 20))
    return found.map(({ name, count, before }) => ({ name, count, trend: trendOf(count, before) }))
  })

  return { timeseries, providers, topCampaigns, campaignStats, conversions, topEvents } satisfies Analytics
})

/** The activity of a project, past and scheduled. */

import {
  type ActivityPage,
  type ActivityQuery,
  type ActivityStats,
  type ActivityStatsQuery,
  ActivityType,
  type ActivityTypes,
  type RecentCount,
  type RecentCountQuery,
  type Upcoming,
  type UpcomingQuery
} from "@posthorn/contract/insight/activity/Activity"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { BadRequest, InvalidCursor } from "@posthorn/contract/platform/Errors"
import { pageSize } from "@posthorn/contract/platform/Primitives"
import { DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { Projects } from "../../accounts/projects/Projects.ts"
import * as ExecutionTotals from "../../automation/workflows/executions/ExecutionTotals.ts"
import * as EventTotals from "../../events/EventTotals.ts"
import { cursorPage } from "../../platform/CursorPages.ts"
import { Cursors } from "../../platform/Cursors.ts"
import { percentage } from "../../platform/Rates.ts"
import { dateWindow } from "../../platform/TimeWindows.ts"
import * as MailTotals from "../analytics/MailTotals.ts"
import * as ActivityFeed from "./ActivityFeed.ts"

export interface Activity {
  /** Newest first. `total` is counted up to 10,000. */
  readonly list: (project: ProjectId, query: ActivityQuery) => Effect.Effect<ActivityPage, BadRequest | InvalidCursor>
  readonly stats: (project: ProjectId, query: ActivityStatsQuery) => Effect.Effect<ActivityStats, BadRequest>
  /** Counted up to 10,000. */
  readonly recentCount: (project: ProjectId, query: RecentCountQuery) => Effect.Effect<RecentCount>
  readonly types: (project: ProjectId) => Effect.Effect<ActivityTypes>
  readonly upcoming: (project: ProjectId, query: UpcomingQuery) => Effect.Effect<Upcoming>
}

/** Counting further would take time and help no caller. */
const maxCount = 10_000
const presentDays = 90

export type Needs = Cursors | EventTotals.Needs | MailTotals.Needs | Projects | SqlClient.SqlClient

export const make: Effect.Effect<Activity, never, Needs> = Effect.gen(function* () {
  const feed = yield* ActivityFeed.make
  const cursors = yield* Cursors
  const events = yield* EventTotals.make
  const mails = yield* MailTotals.make
  const projects = yield* Projects
  const executions = yield* ExecutionTotals.make

  const zoneOf = (project: ProjectId) => Effect.map(Effect.orDie(projects.getCached(project)), (_) => _.timezone)

  const list = Effect.fn("Activity.list")(function* (project: ProjectId, query: ActivityQuery) {
    const { types, contactId: contact, startDate, endDate, timezone, cursor, limit = 50 } = query
    const filter = { types, contact, ...(yield* dateWindow(query, yield* zoneOf(project))) }
    const scope = JSON.stringify(["activity", project, types, contact, startDate, endDate, timezone])
    return yield* cursorPage(
      cursors,
      { scope, cursor, limit: pageSize({ limit }) },
      {
        count: feed.count(project, filter, maxCount),
        list: (wanted, after) => feed.list(project, filter, wanted, after),
        positionOf: ({ timestamp, id }) => ({ key: DateTime.formatIso(timestamp), id })
      }
    )
  })

  const stats = Effect.fn("Activity.stats")(function* (project: ProjectId, query: ActivityStatsQuery) {
    const window = yield* dateWindow(query, yield* zoneOf(project))
    const { sent, delivered, opened, clicked, bounced, complained } = yield* mails.within(project, window)
    const started = yield* executions.started(project, window)
    return {
      totalEvents: yield* events.total(project, window),
      totalEmailsSent: sent,
      totalEmailsDelivered: delivered,
      totalEmailsOpened: opened,
      totalEmailsClicked: clicked,
      totalEmailsBounced: bounced,
      totalComplaints: complained,
      totalWorkflowsStarted: started,
      openRate: percentage(opened, sent),
      clickRate: percentage(clicked, sent)
    }
  })

  /** A window that ends now and includes this instant. */
  const recentWindow = (time: { readonly days: number } | { readonly minutes: number }) =>
    Effect.map(DateTime.now, (now) => ({
      from: DateTime.subtract(now, time),
      until: DateTime.add(now, { milliseconds: 1 })
    }))

  return {
    list,
    stats,
    recentCount: Effect.fn("Activity.recentCount")(function* (project, { minutes = 5 }) {
      const window = Math.min(minutes, 60)
      const filter = yield* recentWindow({ minutes: window })
      return { count: yield* feed.count(project, filter, maxCount), minutes: window }
    }),
    types: Effect.fn("Activity.types")(function* (project) {
      const found = yield* feed.present(project, yield* recentWindow({ days: presentDays }))
      return { types: ActivityType.literals, present: ActivityType.literals.filter((type) => found.includes(type)) }
    }),
    upcoming: Effect.fn("Activity.upcoming")(function* (project, { limit = 50, daysAhead = 30 }) {
      const until = DateTime.add(yield* DateTime.now, { days: Math.min(daysAhead, 90) })
      return { activities: yield* feed.upcoming(project, until, pageSize({ limit })) }
    })
  } satisfies Activity
})

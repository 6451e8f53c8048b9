/** The activity feed in PostgreSQL or PGlite. */
import { type ActivityEntry, ActivityType, type UpcomingEntry } from "@posthorn/contract/insight/activity/Activity"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Position } from "../../platform/Cursors.ts"
import { countOf } from "../../platform/Queries.ts"
import type { TimeWindow } from "../../platform/TimeWindows.ts"
import { type ActivityFilter, feedStatements } from "./ActivityStatements.ts"
import { upcomingOf } from "./UpcomingSql.ts"

/** Every method takes the project id first. Entries of deleted contacts and campaigns are left out. */
export interface ActivityFeed {
  /** Newest first, after the position of an entry: its time and its id. */
  readonly list: (
    project: ProjectId,
    filter: ActivityFilter,
    limit: number,
    after?: Position
  ) => Effect.Effect<ReadonlyArray<ActivityEntry>>
  /** Stops at `most`. */
  readonly count: (project: ProjectId, filter: ActivityFilter, most: number) => Effect.Effect<number>
  /** The types that occur in the window. */
  readonly present: (project: ProjectId, window: TimeWindow) => Effect.Effect<ReadonlyArray<ActivityType>>
  /** The entries that are due before `until`, including overdue ones, earliest first. */
  readonly upcoming: (
    project: ProjectId,
    until: DateTime.Utc,
    limit: number
  ) => Effect.Effect<ReadonlyArray<UpcomingEntry>>
}

const text = Schema.NullOr(Schema.String)
const entryRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: Schema.String,
      type: ActivityType,
      timestamp: Schema.DateTimeUtcFromDate,
      contactId: text,
      contactEmail: text,
      metadata: Schema.JsonObject
    })
  )
)
const typeRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ type: ActivityType })))

export const make = Effect.map(SqlClient.SqlClient, (sql): ActivityFeed => {
  const statements = feedStatements(sql)

  return {
    list: Effect.fn("ActivityFeed.list")(function* (project, filter, limit, after) {
      const statement = statements.page(project, filter, limit, after)
      return statement === undefined ? [] : yield* Effect.flatMap(statement, entryRows)
    }, Effect.orDie),
    count: Effect.fn("ActivityFeed.count")(function* (project, filter, most) {
      const statement = statements.count(project, filter, most)
      return statement === undefined ? 0 : yield* countOf(statement)
    }),
    present: Effect.fn("ActivityFeed.present")(function* (project, window) {
      const found = yield* Effect.flatMap(statements.present(project, window), typeRows)
      return found.map(({ type }) => type)
    }, Effect.orDie),
    upcoming: upcomingOf(sql)
  }
})

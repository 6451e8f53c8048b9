/** The activity feed in PostgreSQL or PGlite. */
import { ActivityType } from "@posthorn/contract/insight/activity/Activity"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { countOf } from "../../platform/Queries.ts"
import { ActivityFeed } from "./ActivityFeed.ts"
import { feedStatements } from "./ActivityStatements.ts"
import { upcomingOf } from "./UpcomingSql.ts"

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

export const layer: Layer.Layer<ActivityFeed, never, SqlClient.SqlClient> = Layer.effect(
  ActivityFeed,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const statements = feedStatements(sql)

    return ActivityFeed.of({
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
    })
  })
)

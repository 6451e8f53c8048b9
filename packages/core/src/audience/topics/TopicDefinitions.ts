/** The topics that conditions name. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { TopicDefinitions } from "../filters/SegmentDefinitions.ts"

const rows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: Schema.String, key: Schema.String, defaultOn: Schema.Boolean }))
)

/** By key, archived ones too. `hold` keeps them from being deleted until the caller's transaction ends. */
export const topicDefinitions = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  keys: ReadonlyArray<string>,
  hold = false
): Effect.Effect<TopicDefinitions> =>
  keys.length === 0
    ? Effect.succeed(new Map())
    : sql`
        select id, key, default_on as "defaultOn" from topics
        where project_id = ${project} and key = any(${keys}::text[]) order by id
        ${hold ? sql`for key share` : sql``}`.pipe(
        Effect.flatMap(rows),
        Effect.map((found) => new Map(found.map(({ key, ...topic }) => [key, topic]))),
        Effect.orDie
      )

const keyRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ key: Schema.String })))

/** The keys of the topics that are not archived. */
export const topicKeys = (sql: SqlClient.SqlClient, project: ProjectId): Effect.Effect<ReadonlyArray<string>> =>
  sql`select key from topics where project_id = ${project} and not archived`.pipe(
    Effect.flatMap(keyRows),
    Effect.map((found) => found.map(({ key }) => key)),
    Effect.orDie
  )

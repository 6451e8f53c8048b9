/** Templates that name a topic, which must not be deleted then. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"

const rows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String })))

/** At most 100. */
export const ofTopic = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  topicId: string
): Effect.Effect<ReadonlyArray<{ readonly id: string; readonly name: string }>> =>
  sql`
    select id, name from templates where project_id = ${project} and topic_id = ${topicId}
    order by created_at, id limit 100`.pipe(Effect.flatMap(rows), Effect.orDie)

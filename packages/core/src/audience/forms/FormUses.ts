/** The forms that use another record, which therefore stays. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"

const rows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String })))

const using = (sql: SqlClient.SqlClient, project: ProjectId, part: unknown) =>
  sql`
    select id, name from forms
    where project_id = ${project} and settings @> ${JSON.stringify(part)}::text::jsonb order by name, id`.pipe(
    Effect.flatMap(rows),
    Effect.orDie
  )

/** Forms whose contacts join the segment. */
export const formsJoining =
  (sql: SqlClient.SqlClient) =>
  (project: ProjectId, segment: string): Effect.Effect<ReadonlyArray<{ readonly id: string; readonly name: string }>> =>
    using(sql, project, { segmentIds: [segment] })

/** Forms that offer the topic. */
export const formsOffering =
  (sql: SqlClient.SqlClient) =>
  (project: ProjectId, topic: string): Effect.Effect<ReadonlyArray<{ readonly id: string; readonly name: string }>> =>
    using(sql, project, { topics: [{ id: topic }] })

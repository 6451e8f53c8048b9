/** Segments whose condition looks at a name: `data.<key>`, `event.<name>`, `topic.<key>` or a standard field. */
import { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"

const rows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: SegmentId, name: Schema.String })))

export const ofName = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  name: string
): Effect.Effect<ReadonlyArray<{ readonly id: SegmentId; readonly name: string }>> =>
  sql`
    select id, name from segments where project_id = ${project} and ${name}::text = any(names)
    order by created_at, id`.pipe(Effect.flatMap(rows), Effect.orDie)

/** Events that were deleted by name, and whose rows a job still has to take away (contract-2 3.4). */
import type { SqlClient, Statement } from "effect/sql"

/** Holds for the rows of `events` that are to be seen. */
export const isVisible = (sql: SqlClient.SqlClient): Statement.Fragment => sql`
  not exists (
    select from event_retractions as retraction
    where retraction.project_id = events.project_id and retraction.name = events.name
      and events.created_at < retraction.before)`

/** Events that were deleted by name, and whose rows a job still has to take away (contract-2 3.4). */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { SqlClient, Statement } from "effect/sql"

/** Holds for the rows of `events` that are to be seen. */
export const isVisible = (sql: SqlClient.SqlClient): Statement.Fragment => sql`
  not exists (
    select from event_retractions as retraction
    where retraction.project_id = events.project_id and retraction.name = events.name
      and events.created_at < retraction.before)`

/** From when on events of one name, or of the name in a column, are to be seen. */
export const visibleFrom = (
  sql: SqlClient.SqlClient,
  project: ProjectId | Statement.Fragment,
  name: string | Statement.Fragment
): Statement.Fragment => sql`
  coalesce(
    (select before from event_retractions where project_id = ${project} and name = ${name}), '-infinity'::timestamptz)`

/** Events that were deleted by name and whose rows a job still has to remove. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { SqlClient, Statement } from "effect/sql"

/** A condition that holds for the visible rows of `events`. */
export const isVisible = (sql: SqlClient.SqlClient): Statement.Fragment => sql`
  not exists (
    select from event_retractions as retraction
    where retraction.project_id = events.project_id and retraction.name = events.name
      and events.created_at < retraction.before)`

/** The time from which events of one name, or of the name in a column, are visible. */
export const visibleFrom = (
  sql: SqlClient.SqlClient,
  project: ProjectId | Statement.Fragment,
  name: string | Statement.Fragment
): Statement.Fragment => sql`
  coalesce(
    (select before from event_retractions where project_id = ${project} and name = ${name}), '-infinity'::timestamptz)`

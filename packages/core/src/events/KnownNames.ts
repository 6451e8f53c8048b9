/**
 * The names of a project's events, read from an index in order. Each name costs one index probe, whatever its number of
 * events.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { SqlClient, Statement } from "effect/sql"
import { visibleFrom } from "./Retracted.ts"

/**
 * A query of `name` and `source`. All events of one name have the same source, because callers cannot track names of
 * the service. Names without visible events are left out.
 */
export const knownNames = (sql: SqlClient.SqlClient, project: ProjectId | Statement.Fragment): Statement.Fragment => {
  const next = (after: Statement.Fragment) => sql`
    select events.name from events where ${sql.and([sql`events.project_id = ${project}`, after])}
    order by events.name limit 1`
  return sql`
    with recursive walked (name) as (
      (${next(sql`true`)})
      union all
      select (${next(sql`events.name > walked.name`)}) from walked where walked.name is not null
    )
    select walked.name, newest.source from walked cross join lateral (
      select events.source from events
      where events.project_id = ${project} and events.name = walked.name
        and events.created_at >= ${visibleFrom(sql, project, sql`walked.name`)}
      order by events.occurred_at desc limit 1
    ) as newest`
}

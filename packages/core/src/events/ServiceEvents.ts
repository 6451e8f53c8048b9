/**
 * Events of the service about a domain, a campaign, the project or an execution. They are recorded in the statement or
 * transaction that causes them, and are dispatched like all events.
 */
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { timePrefix } from "../platform/TimeIds.ts"

/** The row of an event of a project that is about no contact. */
export const projectEvent = (
  sql: SqlClient.SqlClient,
  project: string,
  name: string,
  data: object
): Statement.Fragment => sql`
  select ${project}::uuid as project_id, null::uuid as contact_id, ${name}::text as name,
         ${JSON.stringify(data)}::text::jsonb as data`

/** Inserts the rows of `recorded`: `project_id`, `contact_id` (nullable), `name` and `data`. */
export const recordServiceEvents = (
  sql: SqlClient.SqlClient,
  recorded: Statement.Fragment,
  now: DateTime.Utc
): Statement.Statement<unknown> => {
  // RFC 9562 5.7: milliseconds, the version, and random bits. SQL creates the ids, because the number of rows is not
  // known before.
  const id = sql`
    overlay(overlay(gen_random_uuid()::text placing ${timePrefix(now)} from 1) placing '7' from 15)::uuid`
  return sql`
    insert into events (id, project_id, contact_id, name, source, data, created_at)
    select ${id}, recorded.project_id, recorded.contact_id, recorded.name, 'system', recorded.data, ${DateTime.toDate(now)}::timestamptz
    from (${recorded}) as recorded`
}

/**
 * Events of the service about a domain, a campaign, the project or an execution (contract-2 16.1). They are recorded in the
 * statement or the transaction of their cause, and go the way of all events.
 */
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** An insert of what `told` selects: `project_id`, `contact_id`, which may be null, `name` and `data`. */
export const recordServiceEvents = (
  sql: SqlClient.SqlClient,
  told: Statement.Fragment,
  now: DateTime.Utc
): Statement.Statement<unknown> => {
  // RFC 9562 5.7: milliseconds, the version, and chance; made here because the database knows how many rows there are.
  const time = DateTime.toEpochMillis(now).toString(16).padStart(12, "0")
  const id = sql`
    overlay(overlay(gen_random_uuid()::text placing ${`${time.slice(0, 8)}-${time.slice(8)}`} from 1) placing '7' from 15)::uuid`
  return sql`
    insert into events (id, project_id, contact_id, name, source, data, created_at)
    select ${id}, told.project_id, told.contact_id, told.name, 'system', told.data, ${DateTime.toDate(now)}::timestamptz
    from (${told}) as told`
}

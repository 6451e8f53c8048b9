import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Emails for a later time. `scheduled_for` is that time; `schedule` has each time that was set, with when it was set.
 * Only scheduled emails are in the two indexes: one for the list of a project, one for those that are due.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table emails add column scheduled_for timestamptz, add column schedule jsonb not null default '[]'`
  yield* sql`
    create index emails_scheduled on emails (project_id, scheduled_for, id) where status = 'SCHEDULED'`
  yield* sql`create index emails_due on emails (scheduled_for) where status = 'SCHEDULED'`
})

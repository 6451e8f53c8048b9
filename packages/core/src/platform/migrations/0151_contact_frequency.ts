import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The mails of a contact that count for the frequency caps of its project: the newest 100 of the last 30 days, as
 * `{emailId, topicId, at}` with `at` in milliseconds since 1970.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table contact_frequency (
      project_id uuid not null,
      contact_id uuid not null,
      entries jsonb not null,
      updated_at timestamptz not null,
      primary key (project_id, contact_id)
    ) with (fillfactor = 80)`
})

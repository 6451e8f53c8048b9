import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Mails of the service on behalf of a project, to its contacts: the project, and the sender that its settings name. Null
 * for mail to members.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table system_mails
      add column project_id uuid,
      add column from_email text,
      add column from_name text,
      add column reply_to text`
})

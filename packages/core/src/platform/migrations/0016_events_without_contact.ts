import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Finds events about emails whose contact was deleted, so that they can be erased when the address has a contact again.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create index events_without_contact on events (project_id, email_id) where contact_id is null`
})

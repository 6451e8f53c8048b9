import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The way to events about mail whose contact is gone, for the erasure of whoever comes back under the address.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create index events_without_contact on events (project_id, email_id) where contact_id is null`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Suppressions of persons that were erased: a keyed hash in place of the address. And the way to events about mail whose
 * contact is gone, for the erasure of whoever comes back under the address.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table erased_suppressions (
      project_id uuid not null,
      address_hash bytea not null,
      reason text not null,
      email_id uuid,
      created_at timestamptz not null,
      primary key (project_id, address_hash)
    )`
  yield* sql`
    create index events_without_contact on events (project_id, email_id) where contact_id is null`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * An invitation is to a membership, or offers the ownership of the project to a member. The index finds the invitations
 * of an address.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table invitations add column kind text not null default 'MEMBERSHIP'`
  yield* sql`create unique index invitations_ownership on invitations (project_id) where kind = 'OWNERSHIP'`
  yield* sql`create index invitations_email on invitations (email)`
})

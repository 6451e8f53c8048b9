import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Addresses that get no mail of any type, even after their contact was deleted. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table suppressions (
      project_id uuid not null,
      email text collate "C" not null,
      reason text not null,
      email_id uuid,
      note text,
      created_at timestamptz not null,
      primary key (project_id, email)
    )`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Busy tables have no foreign key to projects: each insert would lock the row of its project (on PGlite that costs a
 * quarter of the rate). Every key begins with the project, so that tables can be distributed by it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table contacts (
      id uuid not null,
      project_id uuid not null,
      email text collate "C" not null,
      subscribed boolean not null,
      was_subscribed boolean,
      data jsonb not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (project_id, id),
      constraint contacts_email unique (project_id, email),
      constraint contacts_data_size check (octet_length(data::text) <= 65536)
    )`
  yield* sql`
    create index contacts_created_at on contacts (project_id, created_at, id)`
})

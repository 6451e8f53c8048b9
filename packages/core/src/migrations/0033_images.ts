import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Images of a project by the names they are stored under; one that is not `stored` is on its way, and has its place. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table images (
      project_id uuid not null,
      name text collate "C" not null,
      size integer not null,
      stored boolean not null,
      created_at timestamptz not null,
      primary key (project_id, name)
    )`
})

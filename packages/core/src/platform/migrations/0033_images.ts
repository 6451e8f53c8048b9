import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Images of a project by their names in storage. A row that is not `stored` reserves the place of an upload in
 * progress.
 */
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

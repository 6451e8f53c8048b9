import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Queries of lists under a name. They go with the member who made them. Those of the secret key have no maker. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table saved_views (
      project_id uuid not null references projects on delete cascade,
      id uuid not null,
      user_id uuid,
      page text not null,
      name text not null,
      query text not null,
      shared boolean not null,
      created_at timestamptz not null,
      primary key (project_id, id),
      foreign key (project_id, user_id) references members on delete cascade
    )`
  yield* sql`create index saved_views_of_member on saved_views (project_id, user_id)`
})

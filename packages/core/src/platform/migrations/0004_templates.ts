import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table templates (
      id uuid not null,
      project_id uuid not null,
      name text not null,
      description text,
      subject text not null,
      body text not null,
      from_email text collate "C" not null,
      from_name text,
      reply_to text,
      type text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (project_id, id)
    )`
  yield* sql`
    create index templates_created_at on templates (project_id, created_at, id)`
})

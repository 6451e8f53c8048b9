import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Invitations, and projects whose data is being deleted. `resetting_since` is set until the data is deleted. A project
 * with `deleted_at` has no keys and no members, and its row is deleted last.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table invitations (
      project_id uuid not null references projects on delete cascade,
      id uuid not null,
      email text collate "C" not null,
      role text not null,
      token_hash text not null unique,
      invited_by uuid references users on delete set null,
      expires_at timestamptz not null,
      created_at timestamptz not null,
      primary key (project_id, id),
      unique (project_id, email)
    )`
  yield* sql`
    alter table projects add column resetting_since timestamptz, add column deleted_at timestamptz`
  yield* sql`
    create index projects_going on projects (id) where resetting_since is not null or deleted_at is not null`
})

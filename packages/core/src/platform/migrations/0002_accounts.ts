import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Accounts and their memberships in projects. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table users (
      id uuid primary key,
      email text collate "C" not null unique,
      password_hash text,
      email_verified boolean not null,
      session_version integer not null default 1,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`
  yield* sql`
    create table members (
      project_id uuid not null references projects on delete cascade,
      user_id uuid not null references users on delete cascade,
      role text not null,
      created_at timestamptz not null,
      primary key (project_id, user_id)
    )`
  yield* sql`
    create index members_user on members (user_id)`
  yield* sql`
    create unique index members_owner on members (project_id) where role = 'OWNER'`
})

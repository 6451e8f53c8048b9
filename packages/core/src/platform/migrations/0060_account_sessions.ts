import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The open sessions of an account, which its owner can list and end. A session from before this migration has no row
 * until it is used. `sessions_from` ends such sessions that were not used again.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table users add column sessions_from timestamptz`
  yield* sql`
    create table sessions (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      session_version integer not null,
      created_at timestamptz not null,
      last_seen_at timestamptz not null,
      expires_at timestamptz not null,
      network text,
      user_agent text
    )`
  yield* sql`
    create index sessions_user on sessions (user_id)`
})

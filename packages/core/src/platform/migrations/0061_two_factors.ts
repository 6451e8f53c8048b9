import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Second factors of logins: sealed secrets of authenticator apps; hashes of recovery codes, and of the tokens of logins
 * that wait for the factor. A secret without `confirmed_at` is being set up and has no effect yet.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table totp_secrets (
      user_id uuid primary key references users on delete cascade,
      secret text not null,
      last_step bigint not null default -1,
      created_at timestamptz not null,
      confirmed_at timestamptz
    )`
  yield* sql`
    create table recovery_codes (
      user_id uuid not null references users on delete cascade,
      hash text not null,
      primary key (user_id, hash)
    )`
  yield* sql`
    create table pending_logins (
      hash text primary key,
      user_id uuid not null references users on delete cascade,
      session_version integer not null,
      tries integer not null default 0,
      expires_at timestamptz not null
    )`
  yield* sql`
    create index pending_logins_user on pending_logins (user_id)`
  yield* sql`
    alter table projects add column require_two_factor boolean not null default false`
})

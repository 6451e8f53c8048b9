import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Sign-in. Stores only the SHA-256 of a mailed token, one for each purpose and account. A request for an email writes
 * the same rows whether or not the account exists; without an account, the token is of an id that no account has.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table users add column type text not null default 'PASSWORD'`
  yield* sql`
    create table revoked_sessions (
      id uuid primary key,
      expires_at timestamptz not null
    )`
  yield* sql`
    create table mailed_tokens (
      purpose text not null,
      user_id uuid not null,
      hash text not null unique,
      expires_at timestamptz not null,
      primary key (purpose, user_id)
    )`
  yield* sql`
    create table attempts (
      subject text collate "C" primary key,
      times timestamptz[] not null
    )`
})

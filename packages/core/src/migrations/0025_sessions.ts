import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Signing in. Of mailed tokens only the SHA-256 is here, one for each purpose and account; one that nobody holds has an
 * account that does not exist, so that asking for a mail writes the same whether the account is there or not.
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

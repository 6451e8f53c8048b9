import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Public keys of passkeys, and hashes of the issued challenges. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table passkeys (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      credential_id text collate "C" not null unique,
      public_key text not null,
      counter bigint not null,
      transports jsonb not null,
      name text not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    )`
  yield* sql`
    create index passkeys_user on passkeys (user_id)`
  yield* sql`
    create table passkey_challenges (
      hash text primary key,
      bound_to text not null,
      expires_at timestamptz not null
    )`
})

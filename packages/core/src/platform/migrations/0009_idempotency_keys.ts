import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** `lease_until` uses the database clock. All other times use the clock of the service. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table idempotency_keys (
      project_id uuid not null,
      key text collate "C" not null,
      owner uuid not null,
      request text not null,
      fingerprint text not null,
      first_at timestamptz not null,
      expires_at timestamptz not null,
      lease_until timestamptz not null,
      status integer,
      body text,
      primary key (project_id, key)
    )`
  yield* sql`
    create index idempotency_keys_expires_at on idempotency_keys (expires_at)`
})

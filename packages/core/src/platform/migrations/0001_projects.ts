import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Of the secret key, stores only its SHA-256 and its last four characters, by which people recognise it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table projects (
      id uuid primary key,
      name text not null,
      public_key text not null unique,
      secret_key_hash text not null unique,
      secret_hint text not null,
      disabled_reason text,
      disabled_at timestamptz,
      tracking text not null default 'ENABLED',
      language text not null default 'en',
      timezone text not null default 'UTC',
      ambiguous_transactional text not null default 'retry',
      ambiguous_bulk text not null default 'retry',
      send_rate_per_second integer,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`
  yield* sql`
    create index projects_rated on projects (id) where send_rate_per_second > 0`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * API keys of projects. Only hashes of the keys are stored. `warned_for` and `expired_for` are the expiry of the last
 * letter and of the last audit entry about it, so that each expiry has one.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table api_keys (
      project_id uuid not null,
      id uuid not null,
      name text not null,
      mode text not null,
      scopes text[] not null,
      sender_domains text[] not null,
      ip_ranges text[] not null,
      rate_limit_per_minute integer,
      hash text collate "C" not null,
      hint text not null,
      previous_hash text collate "C",
      previous_valid_until timestamptz,
      expires_at timestamptz,
      warned_for timestamptz,
      expired_for timestamptz,
      last_used_at timestamptz,
      last_used_via text,
      created_by uuid,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (project_id, id)
    )`
  yield* sql`create unique index api_keys_hash on api_keys (hash)`
  yield* sql`create unique index api_keys_previous_hash on api_keys (previous_hash) where previous_hash is not null`
  yield* sql`create index api_keys_expiry on api_keys (expires_at) where expires_at is not null`
})

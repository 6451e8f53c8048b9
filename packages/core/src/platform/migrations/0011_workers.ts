import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** `lease_until` and `heartbeat_at` use the database clock, which all processes share. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table workers (
      id uuid primary key,
      started_at timestamptz not null,
      lease_until timestamptz not null
    )`
  yield* sql`
    create table periodic_jobs (
      name text primary key,
      due_at timestamptz not null,
      owner uuid,
      lease_until timestamptz,
      last_success_at timestamptz,
      last_error text
    )`
  yield* sql`
    create table send_throttles (
      project_id uuid primary key,
      tokens double precision not null,
      at timestamptz not null
    )`
})

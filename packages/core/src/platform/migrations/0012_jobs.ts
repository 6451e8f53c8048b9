import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Jobs and their records. `lease_until` uses the database clock, all other times the clock of the service. `payload`,
 * `checkpoint` and `result` are JSON as text, because jsonb cannot store U+0000. What only a running job needs is
 * removed when the job ends.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table jobs (
      id uuid not null,
      project_id uuid not null,
      name text not null,
      payload text,
      progress smallint not null default 0,
      checkpoint text,
      result text,
      failed_reason text,
      due_at timestamptz not null,
      tries integer not null default 0,
      claim integer not null default 0,
      lease_until timestamptz,
      created_at timestamptz not null,
      started_at timestamptz,
      finished_at timestamptz,
      primary key (project_id, id)
    )`
  yield* sql`
    create index jobs_due on jobs (due_at, id) where finished_at is null`
  yield* sql`
    create index jobs_started on jobs (project_id, name) where started_at is not null and finished_at is null`
  yield* sql`
    create index jobs_finished_at on jobs (finished_at) where finished_at is not null`
})

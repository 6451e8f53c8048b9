import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The state of each RATE_LIMIT step, created by its first visit. `next_at` is the next free instant of a step that lets
 * contacts wait. `used` counts the visits since `window_at`, the start of a minute, an hour or a day, of a step that
 * branches.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table workflow_rate_limits (
      project_id uuid not null,
      workflow_id uuid not null,
      step_id uuid not null,
      next_at timestamptz,
      window_at timestamptz,
      used integer not null default 0,
      primary key (project_id, workflow_id, step_id)
    ) with (fillfactor = 50)`
})

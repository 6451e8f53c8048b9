import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Indexes of executions for other reads than their work. For the activity feed: by start, and by end with an index for
 * each kind of end. For upcoming entries: by the time at which a live execution continues. For retention: by end, those
 * that still have details to clear. `purged_at` is when the details of an execution were cleared.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table workflow_executions add column purged_at timestamptz`
  yield* sql`
    create index workflow_executions_started_at on workflow_executions (project_id, started_at, id)`
  yield* sql`
    create index workflow_executions_completed_at on workflow_executions (project_id, completed_at, id)
      where status in ('COMPLETED', 'EXITED', 'CANCELLED')`
  yield* sql`
    create index workflow_executions_failed_at on workflow_executions (project_id, completed_at, id)
      where status = 'FAILED'`
  yield* sql`
    create index workflow_executions_resume_at on workflow_executions (project_id, resume_at, id)
      where status in ('RUNNING', 'WAITING')`
  yield* sql`
    create index workflow_executions_kept on workflow_executions (project_id, completed_at, id)
      where completed_at is not null and purged_at is null`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Executions in the order of what is asked of them beside their work: when they began and ended for the activity feed,
 * each kind of end in an index of its own; when live ones go on; and, in the order of their ends, those that still have
 * what is kept for a time only. `purged_at` says since when an execution has lost it.
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

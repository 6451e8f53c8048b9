import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Steps that were removed from a workflow. A whole graph can bring them back under their ids, which their results and
 * the visits of executions name. They go with the workflow.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table workflow_former_steps (
      project_id uuid not null,
      workflow_id uuid not null,
      id uuid not null,
      type text not null,
      ordinal integer not null,
      created_at timestamptz not null,
      primary key (project_id, workflow_id, id)
    )`
})

/** The current step of an execution, in the graph that the execution follows. */
import type { SqlClient, Statement } from "effect/sql"

/**
 * A sub-select of `id`, `name`, `type` and `config` for a row of `workflow_executions`. Empty if the graph has no such
 * step. Join it `lateral`.
 */
export const currentStep = (sql: SqlClient.SqlClient, row: "ended" | "execution" | "live"): Statement.Fragment =>
  sql.literal(`
    (select step.id, step.name, step.type, step.config from workflow_steps as step
     where not ${row}.pinned and step.project_id = ${row}.project_id and step.id = ${row}.current_step_id
     union all
     select step.id, step.name, step.type, step.config
     from workflow_versions as followed
     cross join lateral jsonb_populate_record(null::workflow_steps,
       followed.steps -> ${row}.current_step_id::text) as step
     where ${row}.pinned and followed.project_id = ${row}.project_id and followed.workflow_id = ${row}.workflow_id
       and followed.version = ${row}.version and followed.steps ? ${row}.current_step_id::text)`)

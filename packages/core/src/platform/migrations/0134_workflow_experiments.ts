import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The experiments of SPLIT steps, created by the first visit. `counts` has the judged visitors and the successes of each
 * branch, in the order of `visited_at` and execution up to the cursor. `winner` is null while the contacts are split.
 *
 * The visitors of an experiment have a table of their own, so that a judgement reads one range of an index.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table workflow_experiments (
      project_id uuid not null,
      workflow_id uuid not null,
      step_id uuid not null,
      counts jsonb not null default '{}',
      cursor_at timestamptz,
      cursor_id uuid,
      decided_at timestamptz,
      decided_by jsonb,
      winner text,
      significant boolean not null default false,
      primary key (project_id, workflow_id, step_id)
    )`
  yield* sql`
    create index workflow_experiments_open on workflow_experiments (project_id, workflow_id, step_id)
      where decided_at is null`
  yield* sql`
    create table workflow_experiment_visits (
      project_id uuid not null,
      execution_id uuid not null,
      step_id uuid not null,
      workflow_id uuid not null,
      branch text not null,
      visited_at timestamptz not null,
      primary key (project_id, execution_id, step_id),
      foreign key (project_id, execution_id) references workflow_executions on delete cascade
    )`
  yield* sql`
    create index workflow_experiment_visits_step
      on workflow_experiment_visits (project_id, step_id, visited_at, execution_id)`
})

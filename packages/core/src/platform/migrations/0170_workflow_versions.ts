import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Versions of workflows. `workflows`, `workflow_steps` and `workflow_transitions` have the graph with which executions
 * start, whatever the versioning. `workflow_versions` has each version in one row that does not change: `steps` are rows
 * of `workflow_steps` by id, `transitions` those of `workflow_transitions`. Version 0 is the draft of a workflow that is
 * PUBLISHED, and there is no such row while the draft is the published version. `published` tells a published version
 * from one that was recorded of a workflow that is edited live; `edited`, whether an edit recorded it.
 *
 * `workflows.version` is the version of the graph; null before there is one. `workflow_executions.version` is that of
 * the start or of the last migration. An execution that is `pinned` follows the graph of its version, the others that
 * of the workflow.
 *
 * The views list what must not be deleted: what the graph, the draft, and the versions of live executions use.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table workflows
      add column versioning text not null default 'LIVE',
      add column version integer`
  yield* sql`
    alter table workflow_executions
      add column version integer,
      add column pinned boolean not null default false`
  yield* sql`
    create index workflow_executions_pinned on workflow_executions (project_id, workflow_id, version, id)
      where pinned and status in ('RUNNING', 'WAITING')`
  yield* sql`
    create table workflow_versions (
      project_id uuid not null,
      workflow_id uuid not null,
      version integer not null,
      published boolean not null,
      edited boolean not null,
      note text,
      author jsonb not null,
      trigger_type text not null,
      trigger_config jsonb not null,
      event_name text,
      refers_to uuid[] not null default '{}',
      allow_reentry boolean not null,
      reentry_after_hours integer,
      goal jsonb,
      exit_rules jsonb not null default '[]',
      steps jsonb not null,
      transitions jsonb not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (project_id, workflow_id, version)
    )`
  yield* sql`
    create view workflow_used_versions as
    select kept.*, workflows.name, workflows.created_at as workflow_created_at
    from workflow_versions as kept
    join workflows on workflows.project_id = kept.project_id and workflows.id = kept.workflow_id
    where kept.version = 0 or (
      kept.published and exists (
        select from workflow_executions as execution
        where execution.project_id = kept.project_id and execution.workflow_id = kept.workflow_id
          and execution.version = kept.version and execution.pinned and execution.status in ('RUNNING', 'WAITING')))`
  yield* sql`
    create view workflow_used_steps as
    select project_id, workflow_id, id, ordinal, type, name, config, template_id, refers_to, looks_at, created_at
    from workflow_steps
    union all
    select used.project_id, used.workflow_id, step.id, step.ordinal, step.type, step.name, step.config,
           step.template_id, step.refers_to, step.looks_at, step.created_at
    from workflow_used_versions as used
    cross join lateral jsonb_each(used.steps) as each(key, value)
    cross join lateral jsonb_populate_record(null::workflow_steps, each.value) as step`
  yield* sql`
    create view workflow_used_settings as
    select project_id, id as workflow_id, name, event_name, refers_to, goal, exit_rules, created_at from workflows
    union all
    select project_id, workflow_id, name, event_name, refers_to, goal, exit_rules, workflow_created_at
    from workflow_used_versions`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Workflows are graphs that callers edit, so each part of a graph is a row. `event_name` is the event of an EVENT
 * trigger. `ordinal` is the order in which the steps of a workflow were created; the TRIGGER is 0. `refers_to` are the
 * segments that a step or a schedule names. `looks_at` is what the conditions and updates of a step name, as in
 * `events/ChangeNotes.ts`.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table workflows (
      id uuid not null,
      project_id uuid not null,
      name text not null,
      description text,
      trigger_type text not null,
      trigger_config jsonb not null,
      event_name text,
      refers_to uuid[] not null default '{}',
      enabled boolean not null,
      allow_reentry boolean not null,
      next_run_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (project_id, id)
    )`
  yield* sql`
    create index workflows_trigger on workflows (project_id, event_name) where enabled and trigger_type = 'EVENT'`
  yield* sql`
    create index workflows_due on workflows (next_run_at) where enabled and next_run_at is not null`
  yield* sql`
    create table workflow_steps (
      id uuid not null,
      project_id uuid not null,
      workflow_id uuid not null,
      ordinal integer not null,
      type text not null,
      name text not null,
      position jsonb not null,
      config jsonb not null,
      template_id uuid,
      refers_to uuid[] not null default '{}',
      looks_at text[] not null default '{}',
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (project_id, id)
    )`
  yield* sql`
    create index workflow_steps_workflow on workflow_steps (project_id, workflow_id)`
  yield* sql`
    create index workflow_steps_template on workflow_steps (project_id, template_id) where template_id is not null`
  yield* sql`
    create table workflow_transitions (
      id uuid not null,
      project_id uuid not null,
      workflow_id uuid not null,
      from_step_id uuid not null,
      to_step_id uuid not null,
      branch text,
      auto boolean not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (project_id, id),
      unique nulls not distinct (project_id, from_step_id, branch)
    )`
  yield* sql`
    create index workflow_transitions_workflow on workflow_transitions (project_id, workflow_id)`
  yield* sql`
    create table workflow_secrets (
      project_id uuid primary key,
      secret text not null,
      created_at timestamptz not null,
      previous text,
      previous_valid_until timestamptz
    )`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Executions: the state of each contact in each workflow. The row of an execution is its timer, its lock and its place
 * in the graph. A worker that locks the row decides alone what comes next.
 *
 * `due_at` is when a worker should check the execution; there may be nothing to do. `outside` marks executions whose
 * next step is a request to an outside server, so that a server that hangs does not delay the others. `frozen` marks
 * due executions of disabled projects, so that claims do not read them. `nth` counts the executions of a contact in a
 * workflow. Its unique key lets one of two concurrent starts win, whatever their snapshots show. `step_execution_id` is
 * the visit of the current step. Its row is written when the visit ends or begins to wait, not before. `request` is the
 * request of a WEBHOOK step, the same on every try.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table workflow_executions (
      project_id uuid not null,
      id uuid not null,
      workflow_id uuid not null,
      contact_id uuid not null,
      nth integer not null,
      status text not null,
      source text not null,
      trigger_event_id uuid,
      chain integer not null,
      context jsonb,
      current_step_id uuid,
      step_execution_id uuid not null,
      current_since timestamptz not null,
      steps_taken integer not null default 0,
      wait_event text,
      resume_at timestamptz,
      due_at timestamptz,
      outside boolean not null default false,
      frozen boolean not null default false,
      failures integer not null default 0,
      lease_until timestamptz,
      generation integer not null default 0,
      exit_reason text,
      error jsonb,
      started_at timestamptz not null,
      completed_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (project_id, id),
      foreign key (project_id, contact_id) references contacts on delete cascade
    ) with (fillfactor = 85)`
  yield* sql`
    create unique index workflow_executions_live on workflow_executions (project_id, workflow_id, contact_id)
      where status in ('RUNNING', 'WAITING')`
  yield* sql`
    create unique index workflow_executions_contact on workflow_executions (project_id, contact_id, workflow_id, nth)`
  yield* sql`
    create index workflow_executions_list on workflow_executions (project_id, workflow_id, created_at, id)`
  yield* sql`
    create index workflow_executions_due on workflow_executions (due_at, id)
      where due_at is not null and not frozen and not outside`
  yield* sql`
    create index workflow_executions_due_outside on workflow_executions (due_at, id)
      where due_at is not null and not frozen and outside`
  yield* sql`
    create index workflow_executions_waiting on workflow_executions (project_id, wait_event, contact_id)
      where wait_event is not null`
  yield* sql`
    create index workflow_executions_frozen on workflow_executions (project_id, due_at) where frozen`

  yield* sql`
    create table workflow_step_executions (
      project_id uuid not null,
      id uuid not null,
      execution_id uuid not null,
      workflow_id uuid not null,
      step_id uuid not null,
      step_name text not null,
      step_type text not null,
      iteration integer not null,
      ordinal integer not null,
      status text not null,
      attempts integer not null,
      config jsonb,
      request jsonb,
      output jsonb,
      error jsonb,
      branch text,
      scheduled_for timestamptz,
      resumed_by uuid,
      started_at timestamptz,
      completed_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (project_id, id),
      foreign key (project_id, execution_id) references workflow_executions on delete cascade
    )`
  yield* sql`
    create index workflow_step_executions_execution on workflow_step_executions (project_id, execution_id, ordinal)`
  yield* sql`
    create index workflow_step_executions_resumed on workflow_step_executions (project_id, resumed_by)
      where resumed_by is not null`
  yield* sql`
    create unique index emails_step_execution on emails (project_id, workflow_step_execution_id)
      where workflow_step_execution_id is not null`

  /** An event that was checked against a workflow, whether or not it started the workflow. */
  yield* sql`
    create table workflow_decisions (
      project_id uuid not null,
      event_id uuid not null,
      workflow_id uuid not null,
      primary key (project_id, event_id, workflow_id)
    )`
  /** The workflow that caused an event, for events that do not state it themselves. */
  yield* sql`
    create table workflow_event_origins (
      project_id uuid not null,
      event_id uuid not null,
      workflow_id uuid not null,
      chain integer not null,
      primary key (project_id, event_id)
    )`
  /**
   * `reached` is the last contact that was checked. It is updated in the transaction that starts the contacts before
   * it.
   */
  yield* sql`
    create table workflow_firings (
      project_id uuid not null,
      workflow_id uuid not null,
      scheduled_for timestamptz not null,
      reached uuid,
      started integer not null default 0,
      blocked integer not null default 0,
      error text,
      failures integer not null default 0,
      due_at timestamptz,
      created_at timestamptz not null,
      primary key (project_id, workflow_id, scheduled_for)
    )`
  yield* sql`
    create index workflow_firings_due on workflow_firings (due_at) where due_at is not null`
})

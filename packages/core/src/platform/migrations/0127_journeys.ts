import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Goals, exit rules and re-entry of workflows.
 *
 * `entry_key` tells executions of one contact apart. `nth` counts the executions of a contact in a workflow with one
 * key. `entered_at` is when the event happened that started the execution; null without one. `looked_at` is when the
 * wait at hand last looked for its event.
 *
 * `goals` are the events that convert, by name: of workflows and, until `active_until`, of other owners.
 * `workflow_listeners` are the events that end executions or are judged before a start, so that one lookup by name
 * shows whether an event needs more than a plain start. A conversion is one row for each execution, and keeps the
 * contact. `conversion_totals` are their sums by day, which stay when conversions are deleted.
 *
 * Opens and clicks of machines have started and continued workflows until now. Stored triggers and waits keep doing so.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table workflows
      add column reentry_after_hours integer,
      add column goal jsonb,
      add column exit_rules jsonb not null default '[]'`
  yield* sql`
    alter table workflow_executions
      add column entry_key text collate "C" not null default '',
      add column entered_at timestamptz,
      add column looked_at timestamptz,
      add column converted boolean not null default false,
      add column exit_rule_id text`
  yield* sql`drop index workflow_executions_live`
  yield* sql`drop index workflow_executions_contact`
  yield* sql`
    create unique index workflow_executions_live
      on workflow_executions (project_id, workflow_id, contact_id, entry_key) where status in ('RUNNING', 'WAITING')`
  yield* sql`
    create unique index workflow_executions_contact
      on workflow_executions (project_id, contact_id, workflow_id, entry_key, nth)`
  yield* sql`
    create table workflow_listeners (
      project_id uuid not null,
      event_name text not null,
      workflow_id uuid not null,
      kind text not null,
      primary key (project_id, event_name, workflow_id, kind)
    )`
  yield* sql`
    create index workflow_listeners_workflow on workflow_listeners (project_id, workflow_id)`
  yield* sql`
    create table goals (
      project_id uuid not null,
      event_name text not null,
      owner text not null,
      owner_id uuid not null,
      active_until timestamptz,
      primary key (project_id, event_name, owner, owner_id)
    )`
  yield* sql`create index goals_owner on goals (project_id, owner, owner_id)`
  yield* sql`
    create table conversions (
      project_id uuid not null,
      owner text not null,
      owner_id uuid not null,
      contact_id uuid not null,
      execution_id uuid,
      event_id uuid not null,
      amount numeric(20, 4),
      currency text,
      occurred_at timestamptz not null,
      created_at timestamptz not null,
      foreign key (project_id, contact_id) references contacts on delete cascade
    )`
  yield* sql`
    create unique index conversions_execution on conversions (project_id, execution_id) where execution_id is not null`
  yield* sql`create index conversions_contact on conversions (project_id, contact_id)`
  yield* sql`create index conversions_owner on conversions (project_id, owner, owner_id)`
  yield* sql`
    create table conversion_totals (
      project_id uuid not null,
      owner text not null,
      owner_id uuid not null,
      day date not null,
      currency text not null,
      conversions integer not null,
      amount numeric(24, 4) not null,
      primary key (project_id, owner, owner_id, day, currency)
    )`

  const judged = sql`('email.open', 'email.click')`
  yield* sql`
    update workflows set trigger_config = trigger_config || '{"verdict": "any"}'
    where trigger_type = 'EVENT' and trigger_config ->> 'eventName' in ${judged}`
  yield* sql`
    update workflow_steps set config = config || '{"verdict": "any"}'
    where type in ('TRIGGER', 'WAIT_FOR_EVENT') and config ->> 'eventName' in ${judged}`
  // A visit that has begun keeps the config that it began with.
  yield* sql`
    update workflow_step_executions as visit set config = config || '{"verdict": "any"}'
    from workflow_executions as execution
    where execution.wait_event in ${judged} and visit.project_id = execution.project_id
      and visit.id = execution.step_execution_id`
})

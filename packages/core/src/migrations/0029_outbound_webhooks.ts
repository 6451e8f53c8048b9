import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What is told to others about events, and the events that could not be dispatched.
 *
 * An event leaves the outbox (`events.dispatched_at`) with its reactions, or when they failed for it alone: then it waits
 * in `event_dispatch_failures`, so that nobody who looks for waiting events meets it.
 *
 * `body` is what every try of a delivery sends. A delivery that has not ended has `due_at`: when it may be tried, on the
 * clock of the service; `lease_until`, on that of the database, tells that somebody is at it. `rung` is the step of the
 * ladder, which a replay begins anew, `attempts` all tries ever made. `failed_tries` counts since `failing_since`.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table event_dispatch_failures (
      project_id uuid not null,
      event_id uuid not null,
      attempts integer not null,
      failed_at timestamptz not null,
      due_at timestamptz not null,
      error text not null,
      primary key (project_id, event_id)
    )`
  yield* sql`
    create index event_dispatch_failures_due_at on event_dispatch_failures (due_at)`
  yield* sql`
    create table webhook_endpoints (
      project_id uuid not null,
      id uuid not null,
      url text not null,
      description text,
      events text[] not null,
      enabled boolean not null,
      disabled_reason text,
      secret text not null,
      secret_hint text not null,
      previous_secret text,
      previous_valid_until timestamptz,
      last_success_at timestamptz,
      failing_since timestamptz,
      failed_tries integer not null default 0,
      warned boolean not null default false,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (project_id, id)
    )`
  yield* sql`
    create index webhook_endpoints_failing on webhook_endpoints (failing_since) where failing_since is not null`
  yield* sql`
    create table webhook_deliveries (
      project_id uuid not null,
      id uuid not null,
      endpoint_id uuid not null,
      event_id uuid not null,
      type text not null,
      status text not null,
      body text not null,
      attempts integer not null default 0,
      rung integer not null default 0,
      due_at timestamptz,
      lease_until timestamptz,
      claim integer not null default 0,
      created_at timestamptz not null,
      completed_at timestamptz,
      primary key (project_id, id),
      unique (project_id, endpoint_id, event_id),
      foreign key (project_id, endpoint_id) references webhook_endpoints on delete cascade
    )`
  yield* sql`
    create index webhook_deliveries_due_at on webhook_deliveries (project_id, endpoint_id, due_at)
    where due_at is not null`
  yield* sql`
    create index webhook_deliveries_leased on webhook_deliveries (project_id, endpoint_id, lease_until)
    where lease_until is not null`
  yield* sql`
    create index webhook_deliveries_created_at on webhook_deliveries (project_id, endpoint_id, created_at, id)`
  yield* sql`
    create index webhook_deliveries_age on webhook_deliveries (created_at)`
  yield* sql`
    create table webhook_attempts (
      project_id uuid not null,
      delivery_id uuid not null,
      number integer not null,
      at timestamptz not null,
      status_code integer,
      duration_ms integer not null,
      error text,
      response text not null,
      primary key (project_id, delivery_id, number),
      foreign key (project_id, delivery_id) references webhook_deliveries on delete cascade
    )`
})

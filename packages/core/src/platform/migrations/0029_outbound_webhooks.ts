import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Outbound webhook deliveries, and events that could not be dispatched.
 *
 * An event leaves the outbox (`events.dispatched_at`) together with its reactions. An event whose own reactions fail
 * also leaves it, and waits in `event_dispatch_failures`, where a search for waiting events does not find it.
 *
 * `body` is sent on every try of a delivery. A delivery that has not ended has `due_at`, the time of its next try, on
 * the clock of the service. `lease_until`, on the clock of the database, shows that a worker handles it. `rung` is the
 * position in the schedule of tries; a replay resets it. `attempts` counts all tries. `failed_tries` counts since
 * `failing_since`.
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

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The table of events is also the outbox: an event is in the partial index until it is dispatched. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table events (
      id uuid not null,
      project_id uuid not null,
      contact_id uuid,
      email_id uuid,
      name text not null,
      source text not null,
      data jsonb,
      created_at timestamptz not null,
      dispatched_at timestamptz,
      primary key (project_id, id),
      foreign key (project_id, contact_id) references contacts on delete cascade
    )`
  yield* sql`
    create index events_contact on events (project_id, contact_id, created_at, id)`
  yield* sql`
    create index events_name on events (project_id, name, created_at, id)`
  yield* sql`
    create index events_outbox on events (project_id, id) where dispatched_at is null`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The events that wait to be dispatched leave the table of events. A row waits in `event_outbox` from the insertion of
 * its event to its dispatch, so the event itself is never rewritten. A trigger writes it, because events have several
 * writers.
 *
 * Dispatchers share the outbox by bucket: all events of a project are in one of 64. The bucket is taken from the last
 * byte of the project's id, which is random.
 *
 * `events.dispatched_at` is no longer written at the dispatch. Where it has a value, the event does not enter the
 * outbox; '-infinity' still marks history.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`select quote_ident(current_schema()) as schema`
  const schema = String(row?.["schema"])
  // Rows come and go, so the table is vacuumed by their number, not by their share.
  yield* sql`
    create table event_outbox (
      bucket smallint not null generated always as ((get_byte(uuid_send(project_id), 15) & 63)::smallint) stored,
      project_id uuid not null,
      event_id uuid not null,
      created_at timestamptz not null,
      primary key (bucket, project_id, event_id)
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
            autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 10000)`
  yield* sql.unsafe(`
    create function events_wait() returns trigger language plpgsql as $$
    begin
      insert into ${schema}.event_outbox (project_id, event_id, created_at)
      select project_id, id, created_at from added where dispatched_at is null;
      return null;
    end $$`)
  yield* sql`
    create trigger events_wait after insert on events
      referencing new table as added for each statement execute function events_wait()`
  // After the trigger: creating it blocks all writers, so no event is missed.
  yield* sql`
    insert into event_outbox (project_id, event_id, created_at)
    select project_id, id, created_at from events where dispatched_at is null`
  yield* sql`drop index events_outbox`
})

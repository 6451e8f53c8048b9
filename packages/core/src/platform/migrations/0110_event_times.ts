import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * When an event happened, as the caller stated it, beside when it was recorded. `occurred_at` is the former where it is
 * given and the latter otherwise, so a writer that states no time need not name it.
 *
 * Filters and reads by name use the index by `occurred_at`. It takes the place of the index by `created_at`, and
 * includes the contact, and the time of recording that a deletion by name compares, so that they read no row of the
 * table. The old index is dropped first, so that it is not built again.
 *
 * Events with `dispatched_at = '-infinity'` are history: they were recorded without reactions.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql`select exists (select from events) as some`
  if (found?.["some"] === true) {
    yield* Effect.logWarning("The table of events is rewritten once. That takes some minutes for ten million events.")
  }
  yield* sql`drop index events_history`
  yield* sql`
    alter table events
      add column stated_at timestamptz,
      add column occurred_at timestamptz not null generated always as (coalesce(stated_at, created_at)) stored`
  yield* sql`
    create index events_history on events (project_id, name, occurred_at, id) include (contact_id, created_at)`
})

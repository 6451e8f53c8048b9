import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * How often each event name was recorded, by callers and by the service, so that names can be listed by frequency
 * without counting events. Updated by the job that updates `event_totals`, up to the same mark.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table event_names (
      project_id uuid not null,
      name text not null,
      count bigint not null,
      primary key (project_id, name)
    )`
  yield* sql`
    insert into event_names (project_id, name, count)
    select project_id, name, count(*) from events
    where created_at < (select counted_until from event_totals_mark)
    group by 1, 2`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Campaigns that recur. `recurrence` has the fields of the API; `recurs_at` is when the next firing is due, which with
 * local time is before `nextAt`. A firing is a campaign with `parent_id` and its `occurrence`, the time that the schedule
 * gives, so that none fires twice.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table campaigns add column recurrence jsonb, add column recurs_at timestamptz, add column parent_id uuid,
      add column occurrence timestamptz`
  yield* sql`create index campaigns_recurs_at on campaigns (recurs_at) where recurs_at is not null and status = 'DRAFT'`
  yield* sql`
    create unique index campaigns_occurrence on campaigns (project_id, parent_id, occurrence)
    where parent_id is not null`
})

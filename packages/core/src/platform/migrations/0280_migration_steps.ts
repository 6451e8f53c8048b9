import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The steps of migrations that run while the tables are in use. `position` is the key of the last row of the last batch
 * of a backfill, `rows_about` the size of its table when it began.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table migration_steps (
      migration_id int not null,
      step text not null,
      position text[],
      rows_done bigint not null default 0,
      rows_about bigint,
      started_at timestamptz not null default clock_timestamp(),
      finished_at timestamptz,
      primary key (migration_id, step)
    )`
})

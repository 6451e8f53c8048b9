import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * `counted_mark` of a segment is the mark of the data that its count comes from (`ChangeMarks.ts`): while the mark of
 * the project is the same, the count is too. Null: the count must not be relied on.
 *
 * `segment_rounds` has the last evaluation of all segments of a project. A project that waits is evaluated by one
 * worker, which renews its lease by the clock of the database. `timed`: some count can change while the mark stays.
 * `counted_at` is when all segments were last counted, whatever the mark said.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table segments add column counted_mark text`
  yield* sql`
    create table segment_rounds (
      project_id uuid primary key,
      mark text,
      timed boolean not null default true,
      begun_at timestamptz,
      counted_at timestamptz,
      waiting boolean not null default true,
      leased_until timestamptz
    ) with (fillfactor = 70)`
  yield* sql`create index segment_rounds_waiting on segment_rounds (begun_at) where waiting`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Names of events whose earlier events count as deleted, while a job removes the rows. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table event_retractions (
      project_id uuid not null,
      name text not null,
      before timestamptz not null,
      primary key (project_id, name)
    )`
})

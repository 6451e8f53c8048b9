import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The contacts of bulk jobs, one list for each step that is left. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table bulk_targets (
      project_id uuid not null,
      job_id uuid not null,
      part integer not null,
      contacts uuid[] not null,
      primary key (project_id, job_id, part),
      foreign key (project_id, job_id) references jobs on delete cascade
    )`
})

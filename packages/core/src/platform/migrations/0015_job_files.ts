import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The uploaded file of a job. It is deleted when the job ends, like the payload. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table job_files (
      project_id uuid not null,
      job_id uuid not null,
      content bytea not null,
      primary key (project_id, job_id),
      foreign key (project_id, job_id) references jobs on delete cascade
    )`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Faulty rows of imports, as long as their jobs are kept. Row 1 is the header of the file. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table import_faults (
      project_id uuid not null,
      job_id uuid not null,
      row integer not null,
      email text not null,
      error text not null,
      cells jsonb not null,
      primary key (project_id, job_id, row),
      foreign key (project_id, job_id) references jobs on delete cascade
    )`
})

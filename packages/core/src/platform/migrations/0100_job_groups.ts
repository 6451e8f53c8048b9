import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Lists of jobs, ids that tie several jobs together, and cancellation. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table jobs add column group_id uuid, add column cancelled boolean not null default false`
  yield* sql`create index jobs_created_at on jobs (project_id, created_at, id)`
})

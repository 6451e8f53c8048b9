import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Live streams ask every two seconds for the jobs that run or just ended, and the campaigns that just changed. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index jobs_open on jobs (project_id, id) where finished_at is null`
  yield* sql`create index jobs_ended on jobs (project_id, finished_at) where finished_at is not null`
  yield* sql`create index campaigns_updated_at on campaigns (project_id, updated_at)`
})

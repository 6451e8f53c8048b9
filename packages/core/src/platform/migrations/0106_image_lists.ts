import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Images by date, for the list of a project. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index images_created_at on images (project_id, created_at, name)`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The loop that makes the mails of campaigns looks every second for those that it has not finished. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create index campaigns_unexpanded on campaigns (project_id, id)
    where audience is not null and not expanded and status in ('SENDING', 'CANCELLED')`
})

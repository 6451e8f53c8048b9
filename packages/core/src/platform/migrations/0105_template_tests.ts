import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Test mail of a template, which is not among the mails that were sent from it. Only test mail pays for it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create index emails_template_tests on emails (project_id, template_id) include (sent_at)
      where test and template_id is not null`
})

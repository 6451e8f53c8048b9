import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What the body of a campaign is compiled from, as for templates. `source` is null unless `format` is MJML. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table campaigns add column format text not null default 'HTML', add column source text`
})

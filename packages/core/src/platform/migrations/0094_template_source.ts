import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What the body of a template is compiled from. `source` is null unless `format` is MJML. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table templates add column format text not null default 'HTML', add column source text`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** An alias of a template, and a text part of its own for templates and campaigns. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table templates add column alias text collate "C", add column text text`
  yield* sql`create unique index templates_alias on templates (project_id, alias) where alias is not null`
  yield* sql`alter table campaigns add column text text`
  yield* sql`alter table mailings add column text text`
})

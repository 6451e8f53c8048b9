import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Versions of partials, in the tables of those of templates: `owner_id` is the id of a template or of a partial. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table partials add column version integer not null default 1`
  yield* sql`
    insert into content_versions (project_id, owner_id, version, content, actor, created_at)
    select project_id, id, version, jsonb_build_object('body', body, 'text', text), 'service', updated_at
    from partials`
})

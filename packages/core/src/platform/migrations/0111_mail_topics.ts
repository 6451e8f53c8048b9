import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The topic that templates and campaigns name. A campaign that is being sent keeps the words of its topic and the
 * address of the project's own preference page, so that each of its mails can be rendered again with the same text.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table templates add column topic_id uuid`
  yield* sql`alter table campaigns add column topic_id uuid`
  yield* sql`create index templates_topic on templates (project_id, topic_id) where topic_id is not null`
  yield* sql`create index campaigns_topic on campaigns (project_id, topic_id) where topic_id is not null`
  yield* sql`alter table mailings add column topic jsonb, add column preferences_url text`
})

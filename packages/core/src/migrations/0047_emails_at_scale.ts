import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * An index for each filter of the list of mails that could leave few of many, in its order. The states in which few mails
 * end share one; those that most mails pass through have none, as the newest mails are in them. How many mails of a
 * template were sent is counted without reading one.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create index emails_campaign on emails (project_id, campaign_id, created_at, id) where campaign_id is not null`
  yield* sql`
    create index emails_workflow on emails (project_id, workflow_id, created_at, id) where workflow_id is not null`
  yield* sql`drop index emails_template`
  yield* sql`
    create index emails_template on emails (project_id, template_id, created_at, id) include (sent_at)
      where template_id is not null`
  yield* sql`
    create index emails_exceptional on emails (project_id, status, created_at, id)
      where status in ('BOUNCED', 'COMPLAINED', 'FAILED', 'SUPPRESSED', 'CANCELLED', 'AMBIGUOUS')`
})

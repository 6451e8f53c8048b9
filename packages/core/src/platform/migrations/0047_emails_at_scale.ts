import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * An index for each filter of the list of emails that may match few of many, in the order of the list. The states in
 * which few emails end share one. States that most emails pass through have none, since the newest emails are in them.
 * The number of sent emails of a template is counted without reading them.
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

/** The events `workflow.execution.completed` and `workflow.execution.failed`, which webhooks deliver. */
import type { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { recordServiceEvents } from "../../../events/ServiceEvents.ts"
import { hasEndpoint } from "../../../events/WebhookEndpoints.ts"

/**
 * Records the ends among the rows of `workflow_executions` that `changed` selects. Only for projects with a webhook
 * endpoint, because there may be an end for each contact.
 */
export const recordExecutionEnds = (
  sql: SqlClient.SqlClient,
  changed: Statement.Fragment,
  now: DateTime.Utc
): Statement.Statement<unknown> =>
  recordServiceEvents(
    sql,
    sql`
      select project_id, contact_id,
             case status when 'FAILED' then 'workflow.execution.failed' else 'workflow.execution.completed' end as name,
             jsonb_build_object('workflowId', workflow_id, 'executionId', id, 'status', status, 'exitReason', exit_reason,
                                'error', error) as data
      from (${changed}) as changed
      where status not in ('RUNNING', 'WAITING') and ${hasEndpoint(sql, sql`changed.project_id`)}`,
    now
  )

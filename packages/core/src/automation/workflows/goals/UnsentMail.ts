/** Mail of executions that have ended before it was sent. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** Cancels the mail of these executions for which no try has begun. Joins the caller's transaction. */
export const cancelUnsent = Effect.fn("UnsentMail.cancelUnsent")(function* (
  sql: SqlClient.SqlClient,
  executions: ReadonlyArray<{ readonly project: ProjectId; readonly id: string }>,
  now: DateTime.Utc
) {
  yield* sql`
    with unsent as materialized (
      select mail.project_id, mail.id
      from unnest(${executions.map(({ project }) => project)}::uuid[], ${executions.map(({ id }) => id)}::uuid[])
        as ended(project_id, id)
      join workflow_step_executions as visit
        on visit.project_id = ended.project_id and visit.execution_id = ended.id and visit.step_type = 'SEND_EMAIL'
      join emails as mail
        on mail.project_id = visit.project_id and mail.workflow_step_execution_id = visit.id
      where mail.status in ('SCHEDULED', 'PENDING') and mail.attempts = 0 and mail.ambiguities = 0
      order by mail.id
      for no key update of mail
    )
    update emails set status = 'CANCELLED', cancelled_at = ${DateTime.toDate(now)},
      updated_at = ${DateTime.toDate(now)}, error_code = 'execution_exited',
      error_message = 'The execution ended before this mail was sent.'
    from unsent where emails.project_id = unsent.project_id and emails.id = unsent.id`
}, Effect.orDie)

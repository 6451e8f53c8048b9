/** Cancels queued mail when a project is disabled or enabled. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"

/**
 * Cancels queued mail of a project that is disabled: all of it, or only transactional mail that is queued since before
 * `staleSince`. Returns the number of cancelled mails. Joins the caller's transaction.
 */
export const cancelWaiting = Effect.fn("WaitingMail.cancelWaiting")(function* (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  which: "all" | { readonly staleSince: DateTime.Utc },
  now: DateTime.Utc
) {
  const waits =
    which === "all"
      ? sql`(status = 'PENDING' or status = 'AMBIGUOUS' and due_at < 'infinity')`
      : sql`status = 'PENDING' and lane = 0 and ladder_since < ${DateTime.toDate(which.staleSince)}`
  const cancelled = yield* sql`
    update emails set status = 'CANCELLED', cancelled_at = ${DateTime.toDate(now)},
      updated_at = ${DateTime.toDate(now)}, error_code = 'project_was_disabled',
      error_message = 'The project was disabled while this mail waited.'
    where project_id = ${project} and ${waits}
    returning id`
  return cancelled.length
}, Effect.orDie)

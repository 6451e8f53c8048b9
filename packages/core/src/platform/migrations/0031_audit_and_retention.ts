import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The audit log: who changed what about a project or an account. Rows are only inserted, in the transaction of the
 * change. The log outlives the project.
 *
 * An index lists the texts that are still stored, so that retention does not read the others again.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table audit_log (
      id bigint generated always as identity primary key,
      project_id uuid,
      user_id uuid,
      actor text not null,
      action text not null,
      details jsonb not null default '{}',
      at timestamptz not null
    )`
  yield* sql`
    create index audit_log_project on audit_log (project_id, at, id)`
  yield* sql`
    create index audit_log_user on audit_log (user_id, at, id) where user_id is not null`
  yield* sql`alter table mailings add column purged_at timestamptz`
  yield* sql`
    create index email_contents_kept on email_contents (project_id, id) where purged_at is null`
})

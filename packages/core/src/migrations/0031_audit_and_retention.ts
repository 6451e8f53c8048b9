import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Who changed what about a project or an account: only ever inserted, in the transaction of the change. It outlives the
 * project.
 *
 * Texts that are still there wait for their retention in an index, so that those that are gone are not looked at again.
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

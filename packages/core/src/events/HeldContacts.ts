/**
 * Locks contacts that a statement is about to refer to, so that they are not deleted before the commit, and skips
 * deleted ones. A statement still sees contacts that were deleted after it began, but no row can refer to them.
 *
 * A statement that also writes mail locks its contacts first, because a deletion locks the contact before its mail.
 */
import type { SqlClient, Statement } from "effect/sql"

/** The existing contacts, in the order of addresses. `wanted` selects project and id. */
export const heldContacts = (sql: SqlClient.SqlClient, wanted: Statement.Fragment): Statement.Statement<unknown> => sql`
  select project_id, id from contacts where (project_id, id) in (${wanted}) order by email for key share`

/** For a `with` that has `held`: a condition that lets a part write only after all of them are locked. */
export const afterHeld = (sql: SqlClient.SqlClient): Statement.Fragment => sql`(select count(*) from held) >= 0`

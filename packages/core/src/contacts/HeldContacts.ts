/**
 * Contacts that something is about to be written about: kept from being deleted until it is committed, and told from those
 * that are gone. A statement still sees whoever was deleted since it began, but no row can refer to them.
 *
 * Who writes of mail as well holds its contacts first: deletion, too, has the contact before its mails.
 */
import type { SqlClient, Statement } from "effect/sql"

/** The contacts that are there, in the order of addresses; `wanted` selects project and id. */
export const heldContacts = (sql: SqlClient.SqlClient, wanted: Statement.Fragment): Statement.Statement<unknown> => sql`
  select project_id, id from contacts where (project_id, id) in (${wanted}) order by email for key share`

/** In a `with` that has `held`: a condition that lets a part write only once all of them are held. */
export const afterHeld = (sql: SqlClient.SqlClient): Statement.Fragment => sql`(select count(*) from held) >= 0`

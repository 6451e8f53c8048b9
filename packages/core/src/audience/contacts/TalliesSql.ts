/** How a statement changes the totals of contacts and topics. Triggers append the change. */
import type { SqlClient, Statement } from "effect/sql"

/**
 * An expression that lets this statement and the later ones of the transaction append one change for all of their
 * contacts, instead of one for each (`0290_tallies_by_statement.ts`). The totals are exact with it and without it. To be
 * evaluated before the statement changes a contact: in a materialized part that the update reads.
 */
export const talliedByStatement = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`set_config('posthorn.tallies', 'by_statement', true)`

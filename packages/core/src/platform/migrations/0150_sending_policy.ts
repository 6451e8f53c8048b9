import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * How a campaign follows the sending policy of its project: null stands for all of its rules. `holds` of a mail has one
 * entry `{reason, at, until}` for each reason for which it waited before its first try, the last one last.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table campaigns add column policy jsonb`
  yield* sql`alter table mailings add column policy jsonb`
  yield* sql`alter table emails add column holds jsonb`
})

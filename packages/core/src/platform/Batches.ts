/** Deletes many rows, some thousand in each statement, so that none holds its locks and its snapshot for long. */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"

const batch = 5_000

/** Returns how many rows there were. */
export const deleteInBatches = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  table: string,
  condition: Statement.Fragment
): Effect.fn.Return<number, SqlError.SqlError> {
  let deleted = 0
  while (true) {
    const some = yield* sql`
      delete from ${sql(table)} where ctid = any(array(select ctid from ${sql(table)} where ${condition} limit ${batch}))
      returning 1`
    deleted += some.length
    if (some.length < batch) return deleted
  }
})

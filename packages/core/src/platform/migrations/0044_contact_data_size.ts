import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Counts the 64 KB as callers do: as JSON without blanks between its parts. The text form of `jsonb` has a blank after
 * each comma and colon. Only data near the limit pays for the second count.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table contacts drop constraint contacts_data_size`
  yield* sql.unsafe(String.raw`
    alter table contacts add constraint contacts_data_size check (
      octet_length(data::text) <= 65536
      or octet_length(regexp_replace(data::text, '("(?:[^"\\]|\\.)*")| ', '\1', 'g')) <= 65536
    )`)
})

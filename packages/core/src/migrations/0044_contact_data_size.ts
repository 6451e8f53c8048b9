import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * 64 KB are counted as callers count them (contract 6.3): of JSON without a blank between its parts, where the text form
 * of `jsonb` has one behind each comma and colon. Only data that is near the limit pays for the second look.
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

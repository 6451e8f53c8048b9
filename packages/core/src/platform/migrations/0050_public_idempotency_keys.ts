import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Idempotency keys that are sent with the public key are a separate space. They are prefixed with the line `public`,
 * which no key from a caller contains. Before this migration, only tracking took the public key, so its answers move to
 * that space. A running request keeps its key where it has claimed it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    update idempotency_keys set key = 'public' || chr(10) || key
    where request = 'POST /v1/track' and status is not null`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What the public key of a project may do. The key is visible in web pages, so anyone can have it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table projects add column public_key_policy jsonb not null
      default '{"subscribe": true, "overwrite": true, "origins": []}'`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Reports that change no state, stored for the timeline: delays after the hand-over, and further delivery reports of a
 * delivered email.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table email_deferrals
      add column kind text not null default 'deferred' check (kind in ('deferred', 'delivered'))`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Every open and click that counts, under its mail in the order of time; never who asked. `link` numbers the links of a
 * mail from 1; it is null for a pixel and for what a provider reports. `ordinal` counts the hits of its kind. A click's
 * event waits in the partial index until its verdict is final.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table email_hits (
      project_id uuid not null,
      email_id uuid not null,
      at timestamptz not null,
      id uuid not null,
      kind text not null,
      link integer,
      url text,
      verdict text not null,
      ordinal integer not null,
      event_due_at timestamptz,
      primary key (project_id, email_id, at, id)
    )`
  yield* sql`
    create index email_hits_event_due_at on email_hits (event_due_at) where event_due_at is not null`
})

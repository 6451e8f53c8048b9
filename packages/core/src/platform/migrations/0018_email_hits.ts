import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Every open and click that counts, by email in the order of time. Nothing about the client is stored. `link` numbers
 * the links of an email from 1. It is null for a pixel and for a provider's report. `ordinal` counts the hits of one
 * kind. The event of a click stays in the partial index until it is decided whether a person or a machine clicked.
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

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Ingested messages whose contact is not known yet, under the id of the person. `verified` ones came from a server, and
 * wait until a server says who the person is. The content is the event and the traits, and nothing else of the message.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table held_messages (
      project_id uuid not null,
      id uuid not null,
      person_id text collate "C" not null,
      verified boolean not null,
      content jsonb not null,
      received_at timestamptz not null,
      primary key (project_id, id)
    )`
  yield* sql`
    create index held_messages_person on held_messages (project_id, person_id, received_at)`
  yield* sql`
    create index held_messages_received_at on held_messages (received_at)`
})

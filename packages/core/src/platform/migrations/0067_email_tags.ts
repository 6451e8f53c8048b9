import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Tags of emails. A row for each tag finds emails by it: a page of `GET /emails?tag=` is a range of one of the two
 * indexes. The email has them too, for its record and its events. An email without tags has no row.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table emails add column tags jsonb not null default '{}'`
  yield* sql`
    create table email_tags (
      project_id uuid not null,
      key text collate "C" not null,
      value text collate "C" not null,
      created_at timestamptz not null,
      email_id uuid not null,
      primary key (project_id, key, value, created_at, email_id)
    )`
  yield* sql`create index email_tags_by_key on email_tags (project_id, key, created_at, email_id)`
})

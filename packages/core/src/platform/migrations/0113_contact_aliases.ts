import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Further ids of contacts. A server made the verified ones. The public key made the others, and only its requests find
 * contacts by them. So an id can be in the table twice, once of each kind.
 *
 * `contact_merges` keeps which contact has taken the place of another one.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table contact_aliases (
      project_id uuid not null,
      alias text collate "C" not null,
      verified boolean not null,
      contact_id uuid not null,
      created_at timestamptz not null,
      primary key (project_id, alias, verified),
      foreign key (project_id, contact_id) references contacts on delete cascade
    )`
  yield* sql`
    create index contact_aliases_contact on contact_aliases (project_id, contact_id, verified, created_at)`
  yield* sql`
    create table contact_merges (
      project_id uuid not null,
      id uuid not null,
      contact_id uuid not null,
      merged_at timestamptz not null,
      primary key (project_id, id),
      foreign key (project_id, contact_id) references contacts on delete cascade
    )`
  yield* sql`
    create index contact_merges_contact on contact_merges (project_id, contact_id)`
})

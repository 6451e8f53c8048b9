import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Copies of emails. The emails of one message to several people are a group, which has the id of the email to the
 * `to` recipient. The group keeps what the headers `To` and `Cc` of all its emails show. An email without copies has no
 * group and is in no index of groups.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table emails add column recipient_type text not null default 'TO', add column group_id uuid`
  yield* sql`create index emails_group on emails (project_id, group_id, id) where group_id is not null`
  yield* sql`
    create table email_groups (
      project_id uuid not null,
      id uuid not null,
      shown_to jsonb not null,
      shown_cc jsonb not null,
      primary key (project_id, id)
    )`
})

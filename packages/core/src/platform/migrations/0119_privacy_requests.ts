import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Requests of recipients about their data, each with the one mail that asks to confirm it.
 *
 * `email` is the address that got the mail, or its keyed hash once the person is erased. So the limits of mails hold for
 * an address that comes back. `remind_at` is when the members of the project are told again that one waits.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table privacy_requests (
      project_id uuid not null,
      id uuid not null,
      type text not null,
      status text not null,
      contact_id uuid,
      email text collate "C" not null,
      requested_at timestamptz not null,
      expires_at timestamptz not null,
      confirmed_at timestamptz,
      due_at timestamptz,
      remind_at timestamptz,
      completed_at timestamptz,
      note text,
      primary key (project_id, id)
    )`
  yield* sql`create index privacy_requests_list on privacy_requests (project_id, requested_at, id)`
  yield* sql`create index privacy_requests_contact on privacy_requests (project_id, contact_id)`
  yield* sql`create index privacy_requests_email on privacy_requests (project_id, email)`
  yield* sql`
    create index privacy_requests_open on privacy_requests (project_id) where status in ('UNCONFIRMED', 'OPEN')`
  yield* sql`create index privacy_requests_expiry on privacy_requests (expires_at) where status = 'UNCONFIRMED'`
  yield* sql`create index privacy_requests_reminder on privacy_requests (remind_at) where remind_at is not null`
  yield* sql`create index privacy_requests_age on privacy_requests (requested_at)`
})

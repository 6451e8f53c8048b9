import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Requests to confirm a subscription, and the mails that ask. A contact has at most one open request.
 *
 * `email` is the address, or its keyed hash once the request has ended without consent or its contact is gone. So the
 * limits of mails hold for an address that comes back. `slot_at` is when a mail of a public request may be sent at the
 * earliest: the limit of a project counts it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table opt_ins (
      project_id uuid not null,
      id uuid not null,
      contact_id uuid,
      email text collate "C" not null,
      status text not null,
      subscribe boolean not null,
      topics uuid[] not null,
      source text not null,
      form_id uuid,
      redirect_url text,
      template_id uuid,
      made_contact boolean not null,
      is_public boolean not null,
      proof jsonb,
      field_values jsonb,
      mails_sent integer not null,
      last_mail_at timestamptz,
      email_ids uuid[] not null,
      remind_at timestamptz,
      requested_at timestamptz not null,
      expires_at timestamptz not null,
      settled_at timestamptz,
      primary key (project_id, id)
    )`
  yield* sql`create unique index opt_ins_open on opt_ins (project_id, contact_id) where status = 'PENDING'`
  yield* sql`create index opt_ins_contact on opt_ins (project_id, contact_id, requested_at)`
  yield* sql`create index opt_ins_email on opt_ins (project_id, email)`
  yield* sql`create index opt_ins_list on opt_ins (project_id, requested_at, id)`
  yield* sql`create index opt_ins_expiry on opt_ins (expires_at) where status = 'PENDING'`
  yield* sql`
    create index opt_ins_reminder on opt_ins (remind_at) where status = 'PENDING' and remind_at is not null`
  yield* sql`create index opt_ins_unconfirmed on opt_ins (settled_at) where status = 'EXPIRED' and made_contact`
  yield* sql`
    create table opt_in_mails (
      project_id uuid not null,
      id uuid not null,
      opt_in_id uuid not null,
      email text collate "C" not null,
      slot_at timestamptz,
      created_at timestamptz not null,
      primary key (project_id, id)
    )`
  yield* sql`create index opt_in_mails_email on opt_in_mails (project_id, email, created_at)`
  yield* sql`create index opt_in_mails_slot on opt_in_mails (project_id, slot_at) where slot_at is not null`
  yield* sql`create index opt_in_mails_age on opt_in_mails (created_at)`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Sign-up forms. `settings` is the form as its owner set it; keys that rows of earlier releases lack have defaults.
 * `form_versions` holds what each version shows, so that a record of consent has the texts that the person saw. Counts
 * are rows of their own, so that a submission does not lock the form. A ticket is kept until it expires, so that it is
 * used once.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table forms (
      project_id uuid not null,
      id uuid not null,
      public_id text collate "C" not null,
      key text collate "C" not null,
      name text not null,
      version integer not null,
      settings jsonb not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (project_id, id),
      constraint forms_key unique (project_id, key),
      constraint forms_public_id unique (public_id)
    )`
  yield* sql`
    create table form_versions (
      project_id uuid not null,
      form_id uuid not null,
      version integer not null,
      shown jsonb not null,
      primary key (project_id, form_id, version)
    )`
  yield* sql`
    create table form_counts (
      project_id uuid not null,
      form_id uuid not null,
      submissions bigint not null,
      confirmed bigint not null,
      spam bigint not null,
      primary key (project_id, form_id)
    )`
  yield* sql`
    create table form_tickets (
      project_id uuid not null,
      challenge bytea not null,
      expires_at timestamptz not null,
      primary key (project_id, challenge)
    )`
  yield* sql`create index form_tickets_expiry on form_tickets (expires_at)`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Reports from relays and providers about sent emails.
 *
 * A notification names an email by its id or by the provider's id, and no project. So each of these ids has an index. A
 * receipt makes a notification count once. A notification about an email that is not known yet waits in
 * `parked_notifications`. An erased address stays in `suppressions` as `sha256:<keyed hash>` in place of the address.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create index emails_id on emails (id)`
  yield* sql`
    alter table emails add column bounced_for_good boolean not null default false`
  yield* sql`
    create table provider_ids (
      provider_id text collate "C" not null,
      project_id uuid not null,
      email_id uuid not null,
      primary key (provider_id, project_id, email_id)
    )`
  yield* sql`
    create table notification_receipts (
      kind text not null,
      id text collate "C" not null,
      received_at timestamptz not null,
      primary key (kind, id)
    )`
  yield* sql`
    create index notification_receipts_received_at on notification_receipts (received_at)`
  yield* sql`
    create table parked_notifications (
      kind text not null,
      id text collate "C" not null,
      payload text not null,
      parked_at timestamptz not null,
      tried_at timestamptz not null,
      primary key (kind, id)
    )`
  yield* sql`
    create index parked_notifications_tried_at on parked_notifications (tried_at, kind, id)`
  yield* sql`
    create table email_deferrals (
      project_id uuid not null,
      email_id uuid not null,
      at timestamptz not null,
      detail text not null,
      primary key (project_id, email_id, at, detail)
    )`
  yield* sql`
    create table soft_bounces (
      project_id uuid not null,
      email text collate "C" not null,
      email_id uuid not null,
      at timestamptz not null,
      primary key (project_id, email, email_id)
    )`
  yield* sql`
    create index soft_bounces_at on soft_bounces (at)`
  yield* sql`
    alter table suppressions add column id uuid not null default gen_random_uuid()`
  yield* sql`
    create index suppressions_created_at on suppressions (project_id, created_at, id)`
})

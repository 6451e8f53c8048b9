import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The delivery ledger, which is also the queue: waiting emails are in two partial indexes, transactional before bulk.
 * Content is in another table, so that a change of state rewrites a small row. Emails of one request with the same
 * rendered text share it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table email_contents (
      id uuid not null,
      project_id uuid not null,
      html text,
      text text,
      purged_at timestamptz,
      primary key (project_id, id)
    )`
  yield* sql`
    create table email_attachments (
      id uuid not null,
      project_id uuid not null,
      content bytea not null,
      primary key (project_id, id)
    )`
  yield* sql`
    create table emails (
      id uuid not null,
      project_id uuid not null,
      contact_id uuid,
      content_id uuid,
      to_email text collate "C" not null,
      to_name text,
      from_email text collate "C" not null,
      from_name text,
      reply_to text,
      subject text,
      type text not null,
      source_type text not null,
      test boolean not null default false,
      template_id uuid,
      campaign_id uuid,
      workflow_id uuid,
      workflow_execution_id uuid,
      workflow_step_execution_id uuid,
      tracking boolean not null,
      headers jsonb not null default '{}',
      attachments jsonb not null default '[]',
      status text not null,
      lane smallint not null,
      due_at timestamptz not null,
      attempts integer not null default 0,
      ladder_since timestamptz not null,
      ladder_step integer not null default 0,
      breaks integer not null default 0,
      ambiguities integer not null default 0,
      deaths integer not null default 0,
      worker uuid,
      begun_at timestamptz,
      claim integer not null default 0,
      error_code text,
      error_message text,
      suppression_reason text,
      opens integer not null default 0,
      clicks integer not null default 0,
      machine_opens integer not null default 0,
      machine_clicks integer not null default 0,
      retried_at timestamptz[] not null default '{}',
      sent_at timestamptz,
      delivered_at timestamptz,
      opened_at timestamptz,
      clicked_at timestamptz,
      bounced_at timestamptz,
      complained_at timestamptz,
      failed_at timestamptz,
      suppressed_at timestamptz,
      cancelled_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (project_id, id)
    ) with (fillfactor = 85)`
  yield* sql`
    create index emails_suspect on emails (project_id, id) where status = 'PENDING' and deaths >= 3`
  yield* sql`
    create index emails_due_transactional on emails (project_id, due_at, id) where status = 'PENDING' and lane = 0`
  yield* sql`
    create index emails_due_bulk on emails (project_id, due_at, id) where status = 'PENDING' and lane = 1`
  yield* sql`
    create index emails_sending on emails (worker, project_id, id) where status = 'SENDING'`
  yield* sql`
    create index emails_waiting_for_evidence on emails (due_at) where status = 'AMBIGUOUS' and due_at < 'infinity'`
  yield* sql`
    create index emails_created_at on emails (project_id, created_at, id)`
  yield* sql`
    create index emails_contact on emails (project_id, contact_id, id)`
  yield* sql`
    create index emails_template on emails (project_id, template_id, id) where template_id is not null`
  yield* sql`
    create index emails_to on emails (project_id, to_email, created_at, id)`
  yield* sql`
    create table email_attempts (
      project_id uuid not null,
      email_id uuid not null,
      number integer not null,
      started_at timestamptz not null,
      ended_at timestamptz not null,
      transport text,
      remote_host text,
      outcome text not null,
      code integer,
      enhanced_code text,
      reply text,
      primary key (project_id, email_id, number)
    )`
})

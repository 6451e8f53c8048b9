import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The reputation of a project as a sender, and emails of the service itself.
 *
 * Rates are computed from `emails`. The partial indexes contain the few rows that count against a project. The unique
 * index allows one open suspension for each project.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table projects add column standing_since timestamptz`
  yield* sql`
    create index emails_sent_at on emails (project_id, sent_at) where sent_at is not null and not test`
  yield* sql`
    create index emails_bounced_for_good on emails (project_id, bounced_at) where bounced_for_good`
  yield* sql`
    create index emails_complained on emails (project_id, complained_at) where complained_at is not null`
  yield* sql`
    create table security_checks (
      project_id uuid primary key,
      due_at timestamptz not null
    )`
  yield* sql`
    create index security_checks_due on security_checks (due_at)`
  yield* sql`
    create table security_warnings (
      project_id uuid not null,
      metric text not null,
      day date not null,
      primary key (project_id, metric, day)
    )`
  yield* sql`
    create table suspensions (
      id uuid not null,
      project_id uuid not null,
      reason text not null,
      metric text,
      value double precision,
      at timestamptz not null,
      lifted_at timestamptz,
      primary key (project_id, id)
    )`
  yield* sql`
    create unique index suspensions_open on suspensions (project_id) where lifted_at is null`
  yield* sql`
    create table system_mails (
      id uuid primary key,
      recipient text not null,
      subject text not null,
      body text not null,
      created_at timestamptz not null,
      due_at timestamptz not null,
      tries integer not null default 0
    )`
  yield* sql`
    create index system_mails_due on system_mails (due_at)`
})

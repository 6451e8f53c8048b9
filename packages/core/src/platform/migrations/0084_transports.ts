import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * SMTP servers of projects, and which mail takes them.
 *
 * `password` and `notification_secret` are sealed. `revision` grows with each change of what connections use. `failures`
 * counts failed connections in a row. `checked` is the last result of a check. `projects.mail_routes` is null for
 * projects without routes, so that the sender finds the others by a small index.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table transports (
      project_id uuid not null,
      id uuid not null,
      name text not null,
      host text not null,
      port integer not null,
      tls text not null,
      username text,
      password text,
      pool integer not null,
      enabled boolean not null,
      sns_topic_arns text[] not null,
      notification_secret text,
      revision integer not null default 1,
      status text not null default 'OK',
      failures integer not null default 0,
      last_failure_at timestamptz,
      last_error text,
      failing_since timestamptz,
      warned boolean not null default false,
      last_used_at timestamptz,
      checked_at timestamptz,
      checked jsonb,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (project_id, id),
      unique (project_id, name)
    )`
  yield* sql`create unique index transports_id on transports (id)`
  yield* sql`create index transports_failing on transports (status) where status = 'FAILING'`
  yield* sql`create index transports_topics on transports using gin (sns_topic_arns)`
  yield* sql`create table transport_tries (project_id uuid not null, at timestamptz not null)`
  yield* sql`create index transport_tries_at on transport_tries (project_id, at)`
  yield* sql`alter table projects add column mail_routes jsonb`
  yield* sql`create index projects_routed on projects (id) where mail_routes is not null`
  yield* sql`alter table email_attempts add column transport_id uuid, add column tls text`
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Shaping by mailbox provider.
 *
 * A row of `mailbox_providers` is what an operator changed of a shipped provider, or a provider that an operator added.
 * A row of `recipient_domains` has the best mail exchange of the domain, and the queue of its provider. The domains of
 * shipped providers have rows that no look-up replaces.
 *
 * A row of `shaping` is a provider, or a mail exchange of none of them, that asked for less mail; there is none in normal
 * times. Rows of the installation have the project of zeros, rows of a project's transport have that project.
 * `notified` are the projects that got a webhook. `shaping_log` has the changes. `shaping_reports` has delays that were reported after the hand-over.
 *
 * `workers.traffic` is what each worker sent in the last minute, by provider.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table mailbox_providers (
      provider text collate "C" primary key,
      queue smallint not null unique,
      name text,
      mx_suffixes text[],
      domains text[],
      max_connections integer,
      rate_per_minute integer,
      messages_per_connection integer,
      updated_at timestamptz not null
    )`
  yield* sql`alter table recipient_domains add column exchange text collate "C", add column queue smallint not null default 0`
  yield* sql`create index recipient_domains_looked_up_at on recipient_domains (looked_up_at)`
  yield* sql`
    create table shaping (
      key text collate "C" not null,
      transport text collate "C" not null,
      project_id uuid not null,
      queue smallint not null,
      status text not null,
      level integer not null,
      max_connections integer,
      rate_per_minute integer,
      until timestamptz not null,
      raised_at timestamptz not null,
      suspension bigint not null,
      accepted integer not null,
      before integer not null,
      reason jsonb not null,
      notified uuid[] not null default '{}',
      primary key (key, transport, project_id)
    )`
  yield* sql`
    create table shaping_log (
      at timestamptz not null,
      key text collate "C" not null,
      transport text collate "C" not null,
      project_id uuid not null,
      queue smallint not null,
      status text not null,
      level integer not null,
      max_connections integer,
      rate_per_minute integer,
      until timestamptz,
      reason jsonb not null
    )`
  yield* sql`create index shaping_log_at on shaping_log (at)`
  yield* sql`
    create table shaping_reports (
      key text collate "C" not null,
      transport text collate "C" not null,
      project_id uuid not null,
      at timestamptz not null
    )`
  yield* sql`create index shaping_reports_at on shaping_reports (key, transport, project_id, at)`
  yield* sql`alter table workers add column traffic jsonb`
})

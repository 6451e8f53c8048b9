import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Partials: pieces that texts name with `{{> name}}`, and layouts. `partials_in` finds the names in a text, also in JSON.
 * `partials` of a template, campaign or partial are the names in its texts, with its layout.
 *
 * `mailings` keeps the partials of a campaign as they were when its sending started: an object by name.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create function partials_in(source text) returns text[] language sql immutable parallel safe as $$
      select coalesce(array_agg(distinct found[1]), '{}')
      from regexp_matches(source,
        '[{][{]~?>(?:[[:space:]]|[\\\\][nrt])*([a-z0-9][a-z0-9-]{0,63})(?![a-z0-9-])', 'g') as named(found)
      where found[1] <> 'content'
    $$`
  yield* sql`
    create table partials (
      id uuid not null,
      project_id uuid not null,
      name text collate "C" not null,
      description text,
      body text not null,
      text text,
      partials text[] not null
        generated always as (partials_in(body || ' ' || coalesce(text, ''))) stored,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (project_id, id),
      unique (project_id, name)
    )`
  yield* sql`create index partials_created_at on partials (project_id, created_at, id)`
  for (const table of [sql.literal("templates"), sql.literal("campaigns")]) {
    yield* sql`alter table ${table} add column layout text`
    yield* sql`
      alter table ${table} add column partials text[] not null
        generated always as (
          array_remove(partials_in(body || ' ' || coalesce(text, '') || ' ' || translations::text) || layout, null)
        ) stored`
  }
  yield* sql`
    alter table content_drafts add column partials text[] not null
      generated always as (array_remove(partials_in(content::text) || (content ->> 'layout'), null)) stored`
  yield* sql`create index drafts_partials on content_drafts (project_id) where partials <> '{}'`
  yield* sql`create index templates_partials on templates (project_id) where partials <> '{}'`
  yield* sql`
    create index campaigns_partials on campaigns (project_id)
    where partials <> '{}' and status in ('DRAFT', 'SCHEDULED')`
  yield* sql`alter table mailings add column layout text, add column partials jsonb not null default '{}'`
})

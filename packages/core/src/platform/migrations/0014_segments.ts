import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * `names` are the fields and events whose change can make a contact join or leave by the segment's own condition.
 * `reacts_to` also has those of the segments that it refers to, directly or indirectly. `settled` is true while
 * `member_count` is the number of stored members, so that joins and leaves can be added to it. A compute locks its
 * segment by `computing_until`, on the database clock. All other times use the clock of the service.
 *
 * Only members that were added by hand have `added_at`. Changes are recorded only for projects with a tracked dynamic
 * segment that reacts to them; other projects pay for a lookup in a small index. Changes have no foreign key, so that
 * recording one locks nothing.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table segments (
      id uuid not null,
      project_id uuid not null,
      name text not null,
      description text,
      type text not null,
      condition jsonb,
      track_membership boolean not null,
      member_count integer not null default 0,
      slug text collate "C" not null,
      refers_to uuid[] not null default '{}',
      names text[] not null default '{}',
      reacts_to text[] not null default '{}',
      settled boolean not null default false,
      computing uuid,
      computing_until timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (project_id, id),
      constraint segments_slug unique (project_id, slug)
    )`
  yield* sql`
    create index segments_created_at on segments (project_id, created_at, id)`
  yield* sql`
    create index segments_tracked on segments (project_id) where track_membership and type = 'DYNAMIC'`
  yield* sql`
    create table segment_members (
      project_id uuid not null,
      segment_id uuid not null,
      contact_id uuid not null,
      added_at timestamptz,
      primary key (project_id, segment_id, contact_id),
      foreign key (project_id, segment_id) references segments on delete cascade,
      foreign key (project_id, contact_id) references contacts on delete cascade
    )`
  yield* sql`
    create index segment_members_contact on segment_members (project_id, contact_id)`
  yield* sql`
    create index segment_members_added_at on segment_members (project_id, segment_id, added_at, contact_id)
      where added_at is not null`
  yield* sql`
    create table segment_changes (
      project_id uuid not null,
      id bigint generated always as identity,
      contact_id uuid not null,
      names text[] not null,
      primary key (project_id, id)
    )`
  yield* sql`
    create index segment_changes_id on segment_changes (id)`
})

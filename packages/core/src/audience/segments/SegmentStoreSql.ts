/** Segments in PostgreSQL or PGlite. */

import { FilterTree } from "@posthorn/contract/audience/filters/FilterTree"
import { Segment, SegmentId } from "@posthorn/contract/audience/segments/Segment"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { changedAt, isUnchanged } from "../../platform/Queries.ts"
import { type Links, type SegmentContent, SegmentStore } from "./SegmentStore.ts"
import * as SegmentUses from "./SegmentUses.ts"

const Row = Schema.Struct({
  ...Segment.fields,
  id: SegmentId,
  projectId: ProjectId,
  condition: Schema.NullOr(Schema.toType(FilterTree)),
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate
})
const rows = Schema.decodeUnknownEffect(Schema.Array(Row))
const reactingRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...Row.fields, reactsTo: Schema.Array(Schema.String) }))
)
const countedRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      ...Row.fields,
      reactsTo: Schema.Array(Schema.String),
      countedMark: Schema.NullOr(Schema.String),
      settled: Schema.Boolean,
      version: Schema.String
    })
  )
)
const slugRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ slug: Schema.String })))
const nameRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: SegmentId, name: Schema.String })))

const segmentColumns = `id, project_id as "projectId", name, description, type, condition,
  track_membership as "trackMembership", member_count as "memberCount", slug, created_at as "createdAt",
  updated_at as "updatedAt"`

/** A compute that makes no progress for this long counts as dead. */
const turn = Duration.seconds(30)

/** The fields that callers can change, by column name, as JSON. Absent fields stay absent. */
const record = ({ name, description, condition, trackMembership, refersTo, names }: Partial<SegmentContent & Links>) =>
  JSON.stringify({ name, description, condition, track_membership: trackMembership, refers_to: refersTo, names })

export const layer: Layer.Layer<SegmentStore, never, SqlClient.SqlClient> = Layer.effect(
  SegmentStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(segmentColumns)
    const until = sql`clock_timestamp() + make_interval(secs => ${Duration.toSeconds(turn)})`

    const byId = (project: ProjectId, id: SegmentId) => sql`project_id = ${project} and id = ${id}`
    /** The next round looks at all segments of the project. */
    const requestRound = (project: ProjectId) =>
      sql`update segment_rounds set waiting = true, leased_until = null where project_id = ${project}`
    const first = Effect.map(Array.head<typeof Row.Type>)

    return SegmentStore.of({
      insert: (project, { id, slug, type, memberCount, ...content }, now) =>
        sql`
          with noted as (${requestRound(project)})
          insert into segments (id, project_id, name, description, type, condition, track_membership, member_count, slug,
            refers_to, names, reacts_to, settled, created_at, updated_at)
          select ${id}::uuid, ${project}::uuid, name, description, ${type}::text, condition, track_membership,
                 ${memberCount}::int, ${slug}::text, refers_to, names, names, ${memberCount === 0}::boolean,
                 ${DateTime.toDate(now)}::timestamptz, ${DateTime.toDate(now)}::timestamptz
          from jsonb_populate_record(null::segments, ${record(content)}::text::jsonb)
          on conflict (project_id, slug) do nothing
          returning ${columns}`.pipe(Effect.flatMap(rows), first, Effect.orDie),
      takenSlugs: (project, slug) =>
        sql`
          select slug from segments
          where project_id = ${project} and (slug = ${slug} or starts_with(slug, ${slug}::text || '-'))`.pipe(
          Effect.flatMap(slugRows),
          Effect.map((found) => new Set(found.map((row) => row.slug))),
          Effect.orDie
        ),
      list: (project) =>
        sql`
          select ${columns} from segments where project_id = ${project}
          order by created_at desc, id desc`.pipe(Effect.flatMap(rows), Effect.orDie),
      find: (project, id) =>
        sql`select ${columns} from segments where ${byId(project, id)}`.pipe(Effect.flatMap(rows), first, Effect.orDie),
      lock: (project, id) =>
        sql`select ${columns} from segments where ${byId(project, id)} for no key update`.pipe(
          Effect.flatMap(rows),
          first,
          Effect.orDie
        ),
      lockReacting: (project, names) =>
        sql`
          select ${columns}, reacts_to as "reactsTo" from segments
          where project_id = ${project} and track_membership and type = 'DYNAMIC' and reacts_to && ${names}::text[]
          order by id for no key update`.pipe(
          Effect.flatMap(reactingRows),
          Effect.map((found) => found.map(({ reactsTo, ...segment }) => ({ segment, reactsTo }))),
          Effect.orDie
        ),
      claimTurn: (project, id, owner) =>
        sql`
          update segments set computing = ${owner}::uuid, computing_until = ${until}
          where ${byId(project, id)} and (computing is null or computing_until <= clock_timestamp())
          returning id`.pipe(Effect.map(Array.isReadonlyArrayNonEmpty), Effect.orDie),
      holdTurn: (project, id, owner) =>
        sql`
          update segments set computing_until = ${until}
          where ${byId(project, id)} and computing = ${owner}::uuid
          returning ${columns}`.pipe(Effect.flatMap(rows), first, Effect.orDie),
      releaseTurn: (project, id, owner) =>
        sql`
          update segments set computing = null, computing_until = null
          where ${byId(project, id)} and computing = ${owner}::uuid`.pipe(Effect.asVoid, Effect.orDie),
      update: (project, id, change, now, updatedAt) =>
        sql`
          with noted as (${requestRound(project)})
          update segments as stored set (name, description, condition, track_membership, refers_to, names, updated_at) = (
            select name, description, condition, track_membership, refers_to, names,
                   case when next is distinct from stored then ${changedAt(sql, "stored.updated_at", now)}
                        else stored.updated_at end
            from jsonb_populate_record(stored, ${record(change)}::text::jsonb) as next
          )
          where ${byId(project, id)} and ${isUnchanged(sql, "updated_at", updatedAt)}
          returning ${columns}`.pipe(Effect.flatMap(rows), first, Effect.orDie),
      counted: (project, id) =>
        sql`
          select ${columns}, reacts_to as "reactsTo", counted_mark as "countedMark", settled,
                 xmin::text as version from segments
          where project_id = ${project} and ${id === undefined ? sql`true` : sql`id = ${id}`}
          order by id`.pipe(
          Effect.flatMap(countedRows),
          Effect.map((found) =>
            found.map(({ reactsTo, countedMark, settled, version, ...segment }) => ({
              segment,
              reactsTo,
              countedMark,
              settled,
              version
            }))
          ),
          Effect.orDie
        ),
      setCount: (project, id, memberCount, settled, mark) =>
        sql`
          update segments set member_count = ${memberCount}, settled = ${settled}, counted_mark = ${mark}
          where ${byId(project, id)}`.pipe(Effect.asVoid, Effect.orDie),
      refreshCount: ({ segment: { id, projectId }, version }, memberCount, mark) =>
        sql`
          update segments set member_count = ${memberCount}, settled = settled and member_count = ${memberCount},
            counted_mark = ${mark}
          where ${byId(projectId, id)} and xmin = ${version}::xid
            and (member_count, counted_mark) is distinct from (${memberCount}::int, ${mark}::text)
          `.pipe(Effect.asVoid, Effect.orDie),
      delete: (project, id) =>
        sql`delete from segments where ${byId(project, id)} returning id`.pipe(
          Effect.map(Array.isReadonlyArrayNonEmpty),
          Effect.orDie
        ),
      lockGraph: (project) =>
        sql`select pg_advisory_xact_lock(hashtextextended('posthorn:segments:' || ${project}::text, 0))`.pipe(
          Effect.asVoid,
          Effect.orDie
        ),
      relink: (project, id) =>
        sql`
          with recursive concerned (id) as (
            select ${id}::uuid
            union
            select naming.id from concerned
            join segments as naming on naming.project_id = ${project} and concerned.id = any(naming.refers_to)
          ),
          reached (root, id) as (
            select id, id from concerned
            union
            select reached.root, named.id from reached
            join segments as naming on naming.project_id = ${project} and naming.id = reached.id
            cross join unnest(naming.refers_to) as named(id)
          )
          update segments set counted_mark = null, reacts_to = array(
            select distinct reaction from reached
            join segments as named on named.project_id = ${project} and named.id = reached.id
            cross join unnest(named.names) as reaction
            where reached.root = segments.id
          )
          where project_id = ${project} and id in (select id from concerned)`.pipe(Effect.asVoid, Effect.orDie),
      closure: (project, ids) =>
        sql`
          with recursive reached (id) as (
            select unnest(${ids}::uuid[])
            union
            select unnest(refers_to) from reached join segments using (id) where project_id = ${project}
          )
          select ${columns} from segments where project_id = ${project} and id in (select id from reached)`.pipe(
          Effect.flatMap(rows),
          Effect.orDie
        ),
      referring: (project, id) =>
        sql`
          select id, name from segments where project_id = ${project} and ${id}::uuid = any(refers_to)
          order by created_at, id`.pipe(Effect.flatMap(nameRows), Effect.orDie),
      naming: (project, name) => SegmentUses.ofName(sql, project, name)
    })
  })
)

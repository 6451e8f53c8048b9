/** Partials in PostgreSQL or PGlite. */

import { Partial, PartialContent, type PartialId, PartialUsage } from "@posthorn/contract/content/partials/Partial"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict } from "@posthorn/contract/platform/Errors"
import { Array, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { audited } from "../../platform/audit/Audited.ts"
import { contains, countOf } from "../../platform/Queries.ts"
import { draftColumn, draftField, forgottenParts, versionParts, versionSql } from "../versions/VersionSql.ts"
import type { VersionOrigin } from "../versions/VersionStore.ts"
import { usedPartials } from "./ClosureSql.ts"
import { type PartialOrder, PartialStore } from "./PartialStore.ts"

const Row = Schema.Struct({
  ...Partial.fields,
  draft: draftField,
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate
})
const rows = Schema.decodeUnknownEffect(Schema.Array(Row))
const sourceRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ name: Schema.String, body: Schema.String, text: Schema.NullOr(Schema.String) }))
)
const graphRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ name: Schema.String, partials: Schema.Array(Schema.String) }))
)
const { templates, partials, campaigns } = PartialUsage.fields
const usersRow = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ templates, partials, campaigns })]))

const decodeContent = Schema.decodeUnknownEffect(PartialContent)

/** Of a table or part that is called `partials`. */
const partialColumns = `id, project_id as "projectId", name, description, body, text, version, ${draftColumn("partials")},
  created_at as "createdAt", updated_at as "updatedAt"`

/** The content of a row of `changed`. */
const contentJson = "jsonb_build_object('body', body, 'text', text)"

const sortColumns = { name: "name", createdAt: "created_at", updatedAt: "updated_at" }

/** Of each kind that names a partial. */
const maxUsers = 100

const nameTaken = <A>(saved: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A, Conflict> =>
  Effect.catchReasons(
    saved,
    "SqlError",
    { UniqueViolation: () => Effect.fail(new Conflict({ reason: "name_taken" })) },
    (_, error) => Effect.die(error)
  )

export const layer: Layer.Layer<PartialStore, never, SqlClient.SqlClient> = Layer.effect(
  PartialStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const audit = audited(sql)
    const columns = sql.literal(partialColumns)
    const kept = (origin: VersionOrigin, now: Date) => versionParts(sql, sql.literal(contentJson), origin, now)

    const byId = (project: ProjectId, id: PartialId) => sql`project_id = ${project} and id = ${id}`

    const matching = (project: ProjectId, search: string | undefined) =>
      sql.and([
        sql`project_id = ${project}`,
        ...(search ? [sql.or(["name", "description"].map((column) => contains(sql, column, search)))] : [])
      ])

    const ordered = ({ sort, dir }: PartialOrder) => sql.literal(`${sortColumns[sort]} ${dir}, id ${dir}`)

    const head = <E>(found: Effect.Effect<ReadonlyArray<unknown>, E>) =>
      found.pipe(Effect.flatMap(rows), Effect.map(Array.head), Effect.catchTag("SchemaError", Effect.die))

    const entry = (project: ProjectId, action: string, partial: Option.Option<typeof Row.Type>, details: object = {}) =>
      Option.match(partial, {
        onNone: () => undefined,
        onSome: ({ id, name }) => ({ project, action, details: { partialId: id, name, ...details } })
      })

    /** A draft that is equal to the live version, or a version that is live, changes nothing. */
    const updateEntry = (
      project: ProjectId,
      changed: Option.Option<typeof Row.Type>,
      { change, restoredFrom }: VersionOrigin
    ) => {
      const version = Option.getOrUndefined(changed)?.version
      if (change === undefined || version === undefined) return entry(project, "partial.updated", changed)
      if (version === change.live) return undefined
      return entry(project, "partial.updated", changed, {
        version,
        ...(restoredFrom !== undefined && { restoredFrom })
      })
    }

    const names = (project: ProjectId, name: string) =>
      sql`project_id = ${project} and partials <> '{}' and ${name} = any(partials)`

    /** A query of the things that name the partial, as JSON. */
    const users = (table: string, fields: string, condition: Statement.Fragment) => sql`
      (select coalesce(jsonb_agg(jsonb_build_object(${sql.literal(fields)}) order by created_at, id), '[]')
       from (select * from ${sql.literal(table)} where ${condition}
             order by created_at, id limit ${maxUsers}) as used)`

    /** Rows of a table whose live version or draft names the partial. */
    const versionsNaming = (table: "partials" | "templates", project: ProjectId, name: string) => sql`
      project_id = ${project} and id in (
        select id from ${sql.literal(table)} where ${names(project, name)}
        union all
        select owner_id from content_drafts where ${names(project, name)})`

    const notStarted = "status in ('DRAFT', 'SCHEDULED')"

    return PartialStore.of({
      lock: (project) =>
        sql`select pg_advisory_xact_lock(hashtextextended('posthorn:partials:' || ${project}::text, 0))`.pipe(
          Effect.asVoid,
          Effect.orDie
        ),
      graph: (project) =>
        sql`select name, partials from partials where project_id = ${project}`.pipe(
          Effect.flatMap(graphRows),
          Effect.map((found) => new Map(found.map(({ name, partials }) => [name, partials]))),
          Effect.orDie
        ),
      insert: (project, id, { name, description, body, text }, now, origin) => {
        const at = DateTime.toDate(now)
        return audit(
          sql`
            with changed as (
              insert into partials (id, project_id, name, description, body, text, created_at, updated_at)
              values (${id}, ${project}, ${name}, ${description}, ${body}, ${text}, ${at}, ${at})
              returning *
            ),
            ${kept(origin, at)}
            select ${columns} from changed as partials`.pipe(head, nameTaken),
          (made) => entry(project, "partial.created", made)
        ).pipe(Effect.map(Option.getOrThrow))
      },
      find: (project, id) => Effect.orDie(head(sql`select ${columns} from partials where ${byId(project, id)}`)),
      update: (project, id, { name, description, body, text }, now, origin) => {
        const at = DateTime.toDate(now)
        return audit(
          sql`
            with changed as (
              update partials as stored set (name, description, body, text, version, updated_at) = (
                select name, description, body, text,
                       case when (next.body, next.text) is distinct from (stored.body, stored.text)
                            then version + 1 else version end,
                       case when next is distinct from stored then ${at}::timestamptz else updated_at end
                from jsonb_populate_record(
                  stored, ${JSON.stringify({ name, description, body, text })}::text::jsonb) as next
              )
              where ${byId(project, id)} returning stored.*
            ),
            ${kept(origin, at)}
            select ${columns} from changed as partials`.pipe(head, nameTaken),
          (changed) => updateEntry(project, changed, origin)
        )
      },
      delete: (project, id) =>
        audit(
          Effect.orDie(
            head(sql`
              with ${forgottenParts(sql, project, id)}
              delete from partials where ${byId(project, id)} returning ${columns}`)
          ),
          (deleted) => entry(project, "partial.deleted", deleted)
        ),
      list: (project, search, order, { limit, offset }) =>
        sql`
          select ${columns} from partials where ${matching(project, search)}
          order by ${ordered(order)} limit ${limit} offset ${offset}`.pipe(Effect.flatMap(rows), Effect.orDie),
      count: (project, search) =>
        countOf(sql`select count(*)::int as count from partials where ${matching(project, search)}`),
      closure: (project, names) =>
        sql`
          with recursive ${usedPartials(sql, project, sql`select unnest(${names}::text[])`)}
          select name, body, text from used_partials`.pipe(
          Effect.flatMap(sourceRows),
          Effect.map((found) => new Map(found.map(({ name, ...source }) => [name, source]))),
          Effect.orDie
        ),
      hold: (project, names) =>
        sql`
          select 1 from partials where project_id = ${project} and name = any(${names}::text[])
          order by name for key share`.pipe(Effect.asVoid, Effect.orDie),
      users: (project, name) =>
        sql`
          select ${users("templates", "'id', id, 'name', name", versionsNaming("templates", project, name))} as templates,
                 ${users("partials", "'id', id, 'name', name", versionsNaming("partials", project, name))} as partials,
                 ${users(
                   "campaigns",
                   "'id', id, 'name', name, 'status', status",
                   sql`${names(project, name)} and ${sql.literal(notStarted)}`
                 )} as campaigns`.pipe(
          Effect.flatMap(usersRow),
          Effect.map(([found]) => ({ ...found, partials: found.partials.filter((each) => each.name !== name) })),
          Effect.orDie
        ),
      isLayout: (project, name) =>
        sql`
          select 1 from templates where project_id = ${project} and partials <> '{}' and layout = ${name}
          union all
          select 1 from content_drafts
          where project_id = ${project} and partials <> '{}' and content ->> 'layout' = ${name}
          union all
          select 1 from campaigns
          where project_id = ${project} and partials <> '{}' and ${sql.literal(notStarted)} and layout = ${name}
          limit 1`.pipe(Effect.map(Array.isReadonlyArrayNonEmpty), Effect.orDie),
      ...versionSql(sql, decodeContent)
    })
  })
)

/**
 * Versions and drafts in PostgreSQL or PGlite. Their owner is known by its id. Content is JSON with the fields of the
 * API. Fields that were added after it was stored are missing in it.
 */
import { VersionActor } from "@posthorn/contract/content/templates/TemplateVersion"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Option, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Slice } from "../../platform/OffsetPages.ts"
import { countOf } from "../../platform/Queries.ts"
import { maxVersions, type VersionOrigin } from "./TemplateStore.ts"

const versionRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      version: Schema.Int,
      createdAt: Schema.DateTimeUtcFromDate,
      actor: VersionActor,
      restoredFrom: Schema.NullOr(Schema.Int)
    })
  )
)
const contentRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ content: Schema.JsonObject })))
const draftRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({ content: Schema.JsonObject, basedOn: Schema.Int, updatedAt: Schema.DateTimeUtcFromDate })
  )
)

export const service: VersionOrigin = { actor: { type: "service" } }

/**
 * A part of a `with`: stores the version of each row of `changed (project_id, id, version)` that has none yet, and
 * deletes the oldest one beyond `maxVersions`. `content` is the JSON of a row of `changed`.
 */
export const versionParts = (
  sql: SqlClient.SqlClient,
  content: Statement.Fragment,
  { actor, restoredFrom }: VersionOrigin,
  now: Date
): Statement.Fragment => sql`
  kept as (
    insert into content_versions (project_id, owner_id, version, content, actor, user_id, restored_from, created_at)
    select project_id, id, version, ${content}, ${actor.type}, ${actor.userId ?? null}::uuid,
           ${restoredFrom ?? null}::integer, ${now}::timestamptz
    from changed
    on conflict do nothing
  ),
  pruned as (
    delete from content_versions using changed
    where content_versions.project_id = changed.project_id and content_versions.owner_id = changed.id
      and content_versions.version <= changed.version - ${maxVersions}::integer
  )`

/** The part of a record that names its draft. `owner` is the table or alias of the record. */
export const draftColumn = (owner: string): string => `
  (select jsonb_build_object('basedOn', based_on, 'updatedAt', updated_at) from content_drafts
   where content_drafts.project_id = ${owner}.project_id and content_drafts.owner_id = ${owner}.id) as draft`

export const draftField = Schema.NullOr(Schema.Struct({ basedOn: Schema.Int, updatedAt: Schema.DateTimeUtcFromString }))

export const versionSql = (sql: SqlClient.SqlClient) => {
  const ofOwner = (project: ProjectId, owner: string) => sql`project_id = ${project} and owner_id = ${owner}`

  return {
    versions: (project: ProjectId, owner: string, { limit, offset }: Slice) =>
      sql`
        select version, created_at as "createdAt", restored_from as "restoredFrom",
               jsonb_strip_nulls(jsonb_build_object('type', actor, 'userId', user_id)) as actor
        from content_versions where ${ofOwner(project, owner)}
        order by version desc limit ${limit} offset ${offset}`.pipe(Effect.flatMap(versionRows), Effect.orDie),
    countVersions: (project: ProjectId, owner: string) =>
      countOf(sql`select count(*)::int as count from content_versions where ${ofOwner(project, owner)}`),
    version: (project: ProjectId, owner: string, version: number) =>
      sql`
        select content from content_versions where ${ofOwner(project, owner)} and version = ${version}::integer`.pipe(
        Effect.flatMap(contentRows),
        Effect.map((found) => Option.map(Array.head(found), ({ content }) => content)),
        Effect.orDie
      ),
    draft: (project: ProjectId, owner: string) =>
      sql`
        select content, based_on as "basedOn", updated_at as "updatedAt" from content_drafts
        where ${ofOwner(project, owner)}`.pipe(Effect.flatMap(draftRows), Effect.map(Array.head), Effect.orDie),
    saveDraft: (
      project: ProjectId,
      owner: string,
      draft: { readonly content: object; readonly basedOn: number; readonly updatedAt: DateTime.Utc }
    ) =>
      sql`
        insert into content_drafts (project_id, owner_id, content, based_on, updated_at)
        values (${project}, ${owner}, ${JSON.stringify(draft.content)}::text::jsonb, ${draft.basedOn},
                ${DateTime.toDate(draft.updatedAt)})
        on conflict (project_id, owner_id) do update set
          content = excluded.content, based_on = excluded.based_on, updated_at = excluded.updated_at`.pipe(
        Effect.asVoid,
        Effect.orDie
      ),
    deleteDraft: (project: ProjectId, owner: string) =>
      sql`delete from content_drafts where ${ofOwner(project, owner)} returning owner_id`.pipe(
        Effect.map(Array.isReadonlyArrayNonEmpty),
        Effect.orDie
      )
  }
}

/**
 * Versions and drafts in PostgreSQL or PGlite. Their owner is known by its id. Content is JSON with the fields of the
 * API. Fields that were added after it was stored are missing in it.
 */
import { VersionActor } from "@posthorn/contract/content/versions/Version"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Option, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { countOf } from "../../platform/Queries.ts"
import { maxVersions, type VersionOrigin, type VersionStore } from "./VersionStore.ts"

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

/** A part of a `with`: deletes the versions and the draft of a record that is deleted. */
export const forgottenParts = (sql: SqlClient.SqlClient, project: ProjectId, owner: string): Statement.Fragment => sql`
  versions as (
    delete from content_versions where project_id = ${project} and owner_id = ${owner}
  ),
  draft as (
    delete from content_drafts where project_id = ${project} and owner_id = ${owner}
  )`

/** The part of a record that names its draft. `owner` is the table or alias of the record. */
export const draftColumn = (owner: string): string => `
  (select jsonb_build_object('basedOn', based_on, 'updatedAt', updated_at) from content_drafts
   where content_drafts.project_id = ${owner}.project_id and content_drafts.owner_id = ${owner}.id) as draft`

export const draftField = Schema.NullOr(Schema.Struct({ basedOn: Schema.Int, updatedAt: Schema.DateTimeUtcFromString }))

/** `decode` makes content from its JSON. */
export const versionSql = <Content extends object>(
  sql: SqlClient.SqlClient,
  decode: (stored: Schema.JsonObject) => Effect.Effect<Content, Schema.SchemaError>
): VersionStore<string, Content> => {
  const ofOwner = (project: ProjectId, owner: string) => sql`project_id = ${project} and owner_id = ${owner}`

  return {
    versions: (project, owner, { limit, offset }) =>
      sql`
        select version, created_at as "createdAt", restored_from as "restoredFrom",
               jsonb_strip_nulls(jsonb_build_object('type', actor, 'userId', user_id)) as actor
        from content_versions where ${ofOwner(project, owner)}
        order by version desc limit ${limit} offset ${offset}`.pipe(Effect.flatMap(versionRows), Effect.orDie),
    countVersions: (project, owner) =>
      countOf(sql`select count(*)::int as count from content_versions where ${ofOwner(project, owner)}`),
    version: (project, owner, version) =>
      sql`
        select content from content_versions where ${ofOwner(project, owner)} and version = ${version}::integer`.pipe(
        Effect.flatMap(contentRows),
        Effect.flatMap((found) => Effect.transposeOption(Option.map(Array.head(found), (row) => decode(row.content)))),
        Effect.orDie
      ),
    draft: (project, owner) =>
      sql`
        select content, based_on as "basedOn", updated_at as "updatedAt" from content_drafts
        where ${ofOwner(project, owner)}`.pipe(
        Effect.flatMap(draftRows),
        Effect.flatMap((found) =>
          Effect.transposeOption(
            Option.map(Array.head(found), ({ content: stored, ...draft }) =>
              Effect.map(decode(stored), (content) => ({ ...draft, content }))
            )
          )
        ),
        Effect.orDie
      ),
    saveDraft: (project, owner, draft) =>
      sql`
        insert into content_drafts (project_id, owner_id, content, based_on, updated_at)
        values (${project}, ${owner}, ${JSON.stringify(draft.content)}::text::jsonb, ${draft.basedOn},
                ${DateTime.toDate(draft.updatedAt)})
        on conflict (project_id, owner_id) do update set
          content = excluded.content, based_on = excluded.based_on, updated_at = excluded.updated_at`.pipe(
        Effect.asVoid,
        Effect.orDie
      ),
    deleteDraft: (project, owner) =>
      sql`delete from content_drafts where ${ofOwner(project, owner)} returning owner_id`.pipe(
        Effect.map(Array.isReadonlyArrayNonEmpty),
        Effect.orDie
      )
  }
}

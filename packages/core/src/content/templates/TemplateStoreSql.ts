/** Templates in PostgreSQL or PGlite. */

import {
  Template,
  TemplateContent,
  type TemplateId,
  TemplateSummary,
  TemplateUsage
} from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict } from "@posthorn/contract/platform/Errors"
import { Array, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { audited } from "../../platform/audit/Audited.ts"
import { contains, countOf } from "../../platform/Queries.ts"
import { dropTotals } from "../links/DropTotals.ts"
import { draftColumn, draftField, forgottenParts, service, versionParts, versionSql } from "../versions/VersionSql.ts"
import type { VersionOrigin } from "../versions/VersionStore.ts"
import { type TemplateFields, type TemplateFilter, type TemplateOrder, TemplateStore } from "./TemplateStore.ts"
import { subjectsOf } from "./TranslationSql.ts"

/** Field types of the database that differ from those of the API. */
const stored = {
  draft: draftField,
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate
}
const rows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ ...Template.fields, ...stored })))
const oneRow = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ ...Template.fields, ...stored })]))
const summaryRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ ...TemplateSummary.fields, ...stored })))
const content = Schema.decodeUnknownEffect(TemplateContent)
const referenceRow = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({
      count: Schema.Int,
      campaigns: TemplateUsage.fields.campaigns,
      workflowSteps: TemplateUsage.fields.workflowSteps
    })
  ])
)

/** The columns of the content, which versions keep. */
const contentColumns: { readonly [field in keyof TemplateContent]: string } = {
  subject: "subject",
  format: "format",
  body: "body",
  source: "source",
  text: "text",
  from: "from_email",
  fromName: "from_name",
  replyTo: "reply_to",
  type: "type",
  language: "language",
  translations: "translations",
  layout: "layout",
  strict: "strict"
}
const columnOf: { readonly [field in keyof TemplateFields]: string } = {
  name: "name",
  description: "description",
  alias: "alias",
  topicId: "topic_id",
  ...contentColumns
}

/** Values of content fields that were added later, for content that was stored before. */
const addedContent = {
  format: "HTML",
  source: null,
  text: null,
  language: null,
  translations: {},
  layout: null,
  strict: false
}

const fieldColumns = Object.values(columnOf).join(", ")
const contentOf = (alias: string) =>
  `(${Object.values(contentColumns)
    .map((column) => `${alias}.${column}`)
    .join(", ")})`
const contentJson = `jsonb_build_object(${Object.entries(contentColumns)
  .map(([field, column]) => `'${field}', ${column}`)
  .join(", ")})`

const selected = (columns: { readonly [field: string]: string }) =>
  Object.entries(columns).map(([field, column]) => `templates.${column} as "${field}"`)
const common = [
  "templates.id",
  `templates.project_id as "projectId"`,
  "templates.version",
  `templates.created_at as "createdAt"`,
  `templates.updated_at as "updatedAt"`,
  draftColumn("templates")
]
/** Of a table or part that is called `templates`. */
const templateColumns = [...selected(columnOf), ...common].join(", ")
const { source: _source, text: _text, translations: _translations, ...listed } = columnOf
const summaryColumns = [...selected(listed), ...common, `${subjectsOf("templates")} as translations`].join(", ")

const sortColumns = { name: "name", createdAt: "created_at", updatedAt: "updated_at" }

/** The fields by column name, as JSON. Absent fields stay absent. */
const record = (fields: Partial<TemplateFields>) =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(columnOf).map(([field, column]) => [column, fields[field as keyof TemplateFields]])
    )
  )

const contentFrom = (stored: Schema.JsonObject) => content({ ...addedContent, ...stored })

const refuseAlias = <A>(write: Effect.Effect<A, Schema.SchemaError | SqlError.SqlError>): Effect.Effect<A, Conflict> =>
  write.pipe(
    Effect.catchTag("SchemaError", Effect.die),
    Effect.catchReasons(
      "SqlError",
      {
        UniqueViolation: (reason): Effect.Effect<never, Conflict> =>
          reason.constraint === "templates_alias"
            ? Effect.fail(new Conflict({ reason: "alias_taken" }))
            : Effect.die(reason)
      },
      (_, error) => Effect.die(error)
    )
  )

export const layer: Layer.Layer<TemplateStore, never, SqlClient.SqlClient> = Layer.effect(
  TemplateStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const audit = audited(sql)
    const columns = sql.literal(templateColumns)
    const fields = sql.literal(fieldColumns)
    const kept = (origin: VersionOrigin, now: Date) => versionParts(sql, sql.literal(contentJson), origin, now)

    const byId = (project: ProjectId, id: TemplateId) => sql`project_id = ${project} and id = ${id}`

    const one = (statement: Effect.Effect<ReadonlyArray<unknown>, unknown>) =>
      statement.pipe(Effect.flatMap(rows), Effect.map(Array.head), Effect.orDie)

    const matching = (project: ProjectId, { type, search }: TemplateFilter) =>
      sql.and([
        sql`project_id = ${project}`,
        ...(type === undefined ? [] : [sql`type = ${type}`]),
        ...(search ? [sql.or(["name", "description", "subject"].map((column) => contains(sql, column, search)))] : [])
      ])

    const ordered = ({ sort, dir }: TemplateOrder) => sql.literal(`${sortColumns[sort]} ${dir}, id ${dir}`)

    return TemplateStore.of({
      insert: (project, id, content, now, origin = service) => {
        const at = DateTime.toDate(now)
        return sql`
          with changed as (
            insert into templates (id, project_id, ${fields}, created_at, updated_at)
            select ${id}::uuid, ${project}::uuid, ${fields}, ${at}::timestamptz, ${at}::timestamptz
            from jsonb_populate_record(null::templates, ${record(content)}::text::jsonb)
            returning *
          ),
          ${kept(origin, at)}
          select ${columns} from changed as templates`.pipe(
          Effect.flatMap(oneRow),
          Effect.map(([template]) => template),
          refuseAlias
        )
      },
      find: (project, id) => one(sql`select ${columns} from templates where ${byId(project, id)}`),
      hold: (project, id) => one(sql`select ${columns} from templates where ${byId(project, id)} for key share`),
      lock: Effect.fn("TemplateStore.lock")(function* (project, id) {
        yield* sql`select 1 from templates where ${byId(project, id)} for no key update`
        return yield* one(sql`select ${columns} from templates where ${byId(project, id)}`)
      }, Effect.orDie),
      update: (project, id, change, now, origin = service) => {
        const at = DateTime.toDate(now)
        const changed = sql`
          with changed as (
            update templates as stored set (${fields}, version, updated_at) = (
              select ${fields},
                     case when ${sql.literal(contentOf("next"))} is distinct from ${sql.literal(contentOf("stored"))}
                          then version + 1 else version end,
                     case when next is distinct from stored then ${at}::timestamptz else updated_at end
              from jsonb_populate_record(stored, ${record(change)}::text::jsonb) as next
            )
            where ${byId(project, id)} returning stored.*
          ),
          ${kept(origin, at)}
          select ${columns} from changed as templates`.pipe(Effect.flatMap(rows), Effect.map(Array.head), refuseAlias)
        const { change: made, restoredFrom } = origin
        if (made === undefined) return changed
        return audit(changed, (found) => {
          const version = Option.getOrUndefined(found)?.version
          return version === undefined || version === made.live
            ? undefined
            : {
                project,
                action: `template.${made.kind}`,
                details: { templateId: id, version, ...(restoredFrom !== undefined && { restoredFrom }) }
              }
        })
      },
      delete: (project, id) =>
        sql`
          with forgotten as (
            update campaigns set template_id = null where project_id = ${project} and template_id = ${id}
          ),
          ${forgottenParts(sql, project, id)},
          ${dropTotals(sql, project, sql`${id}::uuid`)}
          delete from templates where ${byId(project, id)} returning id`.pipe(
          Effect.map(Array.isReadonlyArrayNonEmpty),
          Effect.orDie
        ),
      list: (project, filter, order, { limit, offset }) =>
        sql`
          select ${sql.literal(summaryColumns)} from templates where ${matching(project, filter)}
          order by ${ordered(order)} limit ${limit} offset ${offset}`.pipe(Effect.flatMap(summaryRows), Effect.orDie),
      count: (project, filter) =>
        countOf(sql`select count(*)::int as count from templates where ${matching(project, filter)}`),
      references: (project, id) =>
        sql`
          select (select count(*)::int from emails
                  where project_id = ${project} and template_id = ${id} and sent_at is not null)
                 - (select count(*)::int from emails
                    where project_id = ${project} and template_id = ${id} and sent_at is not null and test) as count,
                 (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'status', status)
                                            order by created_at, id), '[]') from campaigns
                  where project_id = ${project} and template_id = ${id}) as campaigns,
                 (select coalesce(jsonb_agg(jsonb_build_object('workflowId', workflow.id, 'workflowName', workflow.name,
                                                               'stepId', step.id, 'stepName', step.name)
                                            order by workflow.created_at, workflow.id, step.ordinal), '[]')
                  from (
                    select distinct on (workflow_id, id) workflow_id, id, name, ordinal, project_id, template_id
                    from workflow_used_steps where project_id = ${project} and template_id = ${id}
                  ) as step
                  join workflows as workflow on workflow.project_id = step.project_id and workflow.id = step.workflow_id
                  where step.project_id = ${project} and step.template_id = ${id}) as "workflowSteps"`.pipe(
          Effect.flatMap(referenceRow),
          Effect.map(([{ count, campaigns, workflowSteps }]) => ({ campaigns, workflowSteps, emailsSent: count })),
          Effect.orDie
        ),
      ...versionSql(sql, contentFrom)
    })
  })
)

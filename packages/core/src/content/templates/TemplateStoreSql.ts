/** Templates in PostgreSQL or PGlite. */

import { EmailType, TemplateId, TemplateUsage } from "@posthorn/contract/content/templates/Template"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { contains, countOf } from "../../platform/Queries.ts"
import { type TemplateContent, type TemplateFilter, type TemplateOrder, TemplateStore } from "./TemplateStore.ts"

const Row = Schema.Struct({
  id: TemplateId,
  projectId: ProjectId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  subject: Schema.String,
  body: Schema.String,
  from: Schema.String,
  fromName: Schema.NullOr(Schema.String),
  replyTo: Schema.NullOr(Schema.String),
  type: EmailType,
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate
})
const rows = Schema.decodeUnknownEffect(Schema.Array(Row))
const oneRow = Schema.decodeUnknownEffect(Schema.Tuple([Row]))
const referenceRow = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({
      count: Schema.Int,
      campaigns: TemplateUsage.fields.campaigns,
      workflowSteps: TemplateUsage.fields.workflowSteps
    })
  ])
)

const templateColumns = `id, project_id as "projectId", name, description, subject, body, from_email as "from",
  from_name as "fromName", reply_to as "replyTo", type, created_at as "createdAt", updated_at as "updatedAt"`

const sortColumns = { name: "name", createdAt: "created_at", updatedAt: "updated_at" }

/** The content by column name, as JSON. Absent fields stay absent. */
const record = ({ name, description, subject, body, from, fromName, replyTo, type }: Partial<TemplateContent>) =>
  JSON.stringify({
    name,
    description,
    subject,
    body,
    from_email: from,
    from_name: fromName,
    reply_to: replyTo,
    type
  })

export const layer: Layer.Layer<TemplateStore, never, SqlClient.SqlClient> = Layer.effect(
  TemplateStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(templateColumns)

    const byId = (project: ProjectId, id: TemplateId) => sql`project_id = ${project} and id = ${id}`

    const matching = (project: ProjectId, { type, search }: TemplateFilter) =>
      sql.and([
        sql`project_id = ${project}`,
        ...(type === undefined ? [] : [sql`type = ${type}`]),
        ...(search ? [sql.or(["name", "description", "subject"].map((column) => contains(sql, column, search)))] : [])
      ])

    const ordered = ({ sort, dir }: TemplateOrder) => sql.literal(`${sortColumns[sort]} ${dir}, id ${dir}`)

    return TemplateStore.of({
      insert: (project, id, content, now) =>
        sql`
          insert into templates (id, project_id, name, description, subject, body, from_email, from_name, reply_to,
            type, created_at, updated_at)
          select ${id}::uuid, ${project}::uuid, name, description, subject, body, from_email, from_name, reply_to,
                 type, ${DateTime.toDate(now)}::timestamptz, ${DateTime.toDate(now)}::timestamptz
          from jsonb_populate_record(null::templates, ${record(content)}::text::jsonb)
          returning ${columns}`.pipe(
          Effect.flatMap(oneRow),
          Effect.map(([template]) => template),
          Effect.orDie
        ),
      find: (project, id) =>
        sql`select ${columns} from templates where ${byId(project, id)}`.pipe(
          Effect.flatMap(rows),
          Effect.map(Array.head),
          Effect.orDie
        ),
      hold: (project, id) =>
        sql`select ${columns} from templates where ${byId(project, id)} for key share`.pipe(
          Effect.flatMap(rows),
          Effect.map(Array.head),
          Effect.orDie
        ),
      update: (project, id, change, now) =>
        sql`
          update templates as stored set (name, description, subject, body, from_email, from_name, reply_to, type,
            updated_at) = (
            select name, description, subject, body, from_email, from_name, reply_to, type,
                   case when next is distinct from stored then ${DateTime.toDate(now)}::timestamptz
                        else updated_at end
            from jsonb_populate_record(stored, ${record(change)}::text::jsonb) as next
          )
          where ${byId(project, id)} returning ${columns}`.pipe(
          Effect.flatMap(rows),
          Effect.map(Array.head),
          Effect.orDie
        ),
      delete: (project, id) =>
        sql`
          with forgotten as (
            update campaigns set template_id = null where project_id = ${project} and template_id = ${id}
          )
          delete from templates where ${byId(project, id)} returning id`.pipe(
          Effect.map(Array.isReadonlyArrayNonEmpty),
          Effect.orDie
        ),
      list: (project, filter, order, { limit, offset }) =>
        sql`
          select ${columns} from templates where ${matching(project, filter)}
          order by ${ordered(order)} limit ${limit} offset ${offset}`.pipe(Effect.flatMap(rows), Effect.orDie),
      count: (project, filter) =>
        countOf(sql`select count(*)::int as count from templates where ${matching(project, filter)}`),
      references: (project, id) =>
        sql`
          select (select count(*)::int from emails
                  where project_id = ${project} and template_id = ${id} and sent_at is not null) as count,
                 (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'status', status)
                                            order by created_at, id), '[]') from campaigns
                  where project_id = ${project} and template_id = ${id}) as campaigns,
                 (select coalesce(jsonb_agg(jsonb_build_object('workflowId', workflow.id, 'workflowName', workflow.name,
                                                               'stepId', step.id, 'stepName', step.name)
                                            order by workflow.created_at, workflow.id, step.ordinal), '[]')
                  from workflow_steps as step
                  join workflows as workflow on workflow.project_id = step.project_id and workflow.id = step.workflow_id
                  where step.project_id = ${project} and step.template_id = ${id}) as "workflowSteps"`.pipe(
          Effect.flatMap(referenceRow),
          Effect.map(([{ count, campaigns, workflowSteps }]) => ({ campaigns, workflowSteps, emailsSent: count })),
          Effect.orDie
        )
    })
  })
)

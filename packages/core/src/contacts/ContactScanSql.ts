/** Walks over contacts in PostgreSQL, served or embedded: along the primary key, so that each page costs the same. */
import { ProjectId } from "@posthorn/contract/Auth"
import { ContactId } from "@posthorn/contract/contacts/Contact"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ContactScan, type ScanFilter } from "./ContactScan.ts"
import { contactColumns } from "./ContactUpsertSql.ts"

const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: ContactId,
      projectId: ProjectId,
      email: Schema.String,
      subscribed: Schema.Boolean,
      data: Schema.JsonObject,
      createdAt: Schema.DateTimeUtcFromDate,
      updatedAt: Schema.DateTimeUtcFromDate
    })
  )
)
const keyRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ key: Schema.NullOr(Schema.String), last: ContactId }))
)

const later = (a: ContactId | undefined, b: ContactId): ContactId => (a === undefined || b > a ? b : a)

export const layer: Layer.Layer<ContactScan, never, SqlClient.SqlClient> = Layer.effect(
  ContactScan,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const matching = (project: ProjectId, { members, search, subscribed }: ScanFilter, after: ContactId | undefined) =>
      sql.and([
        sql`project_id = ${project}`,
        ...(after === undefined ? [] : [sql`id > ${after}`]),
        ...(search ? [sql`strpos(email, ${search.toLowerCase()}) > 0`] : []),
        ...(subscribed === undefined ? [] : [sql`subscribed = ${subscribed}`]),
        ...(members === undefined ? [] : [members])
      ])

    return ContactScan.of({
      page: (project, filter, after, limit) =>
        sql`
          select ${sql.literal(contactColumns)} from contacts where ${matching(project, filter, after)}
          order by id limit ${limit}`.pipe(Effect.flatMap(rows), Effect.orDie),
      keys: (project, filter, after, limit) =>
        sql`
          select key, max(id::text collate "C")::uuid as last
          from (select id, data from contacts where ${matching(project, filter, after)} order by id limit ${limit}) as page
            left join lateral jsonb_object_keys(data) as key on true
          group by key`.pipe(
          Effect.flatMap(keyRows),
          Effect.map((found) => ({
            keys: found.flatMap(({ key }) => key ?? []),
            last: found.map(({ last }) => last).reduce<ContactId | undefined>(later, undefined)
          })),
          Effect.orDie
        )
    })
  })
)

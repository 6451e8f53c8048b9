/** Contacts in PostgreSQL or PGlite. */

import { type ContactId, EmailAlreadyExists } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { anything, dataName, noteChanges } from "../../events/ChangeNotes.ts"
import { countOf, readCount } from "../../platform/Queries.ts"
import { contactListSql } from "./ContactListSql.ts"
import { ContactRow, contactColumns, contactRows } from "./ContactRow.ts"
import { type ContactChange, ContactStore } from "./ContactStore.ts"
import { flipped, json, upsertContacts, upsertCounted } from "./ContactUpsertSql.ts"
import { refuseConstraint } from "./DataTooLarge.ts"

const upsertedRows = Schema.decodeUnknownEffect(
  Schema.NonEmptyArray(Schema.Struct({ ...ContactRow.fields, isNew: Schema.Boolean, flipped: Schema.Boolean }))
)
const changedRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...ContactRow.fields, flipped: Schema.Boolean }))
)

/** The names of what may change. All names if the address changes, because segments skip the contact in that time. */
const changedNames = ({ email, subscribed, data }: ContactChange): ReadonlyArray<string> =>
  data === "clear" || email !== undefined
    ? [anything]
    : [
        "updatedAt",
        ...(subscribed === undefined ? [] : ["subscribed"]),
        ...[...(data?.remove ?? []), ...Object.keys(data?.set ?? {})].map(dataName)
      ]

export const layer: Layer.Layer<ContactStore, never, SqlClient.SqlClient> = Layer.effect(
  ContactStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(contactColumns)

    /** Returns the rows of an update and notes its changes in the same statement. */
    const noting = (update: Statement.Fragment, names: ReadonlyArray<string>, now: Date) => sql`
      with updated as (${update} returning ${columns}, ${sql.literal(flipped)}),
      noted as (${noteChanges(
        sql,
        sql`select "projectId", id, ${names}::text[] from updated where "updatedAt" = ${now}::timestamptz`
      )})
      select * from updated`

    const update = (project: ProjectId, id: ContactId, { email, subscribed, data }: ContactChange, now: Date) => sql`
      update contacts as stored set (email, was_subscribed, subscribed, data, updated_at) = (
        select next.email, stored.subscribed, next.subscribed, next.data,
               case when (next.email, next.subscribed, next.data) is distinct from
                         (stored.email, stored.subscribed, stored.data)
                    then ${now}::timestamptz else stored.updated_at end
        from (
          select coalesce(${email ?? null}::text, stored.email) as email,
                 coalesce(${subscribed ?? null}::boolean, stored.subscribed) as subscribed,
                 ${changed(data)} as data
        ) as next
      )
      where project_id = ${project} and id = ${id}`

    const changed = (data: ContactChange["data"]) => {
      if (data === undefined) return sql`stored.data`
      if (data === "clear") return sql`'{}'::jsonb`
      return sql`(stored.data - ${data.remove}::text[]) || ${json(sql, data.set)}`
    }

    const byId = (project: ProjectId, id: ContactId) => sql`project_id = ${project} and id = ${id}`

    const lists = contactListSql(sql)

    return ContactStore.of({
      upsert: (project, contacts, now) =>
        upsertContacts(sql, project, contacts, DateTime.toDate(now)).pipe(
          Effect.flatMap(upsertedRows),
          Effect.map(Array.map(({ isNew, flipped, ...contact }) => ({ contact, isNew, flipped }))),
          Effect.catchTag("SchemaError", Effect.die),
          Effect.catchReasons("SqlError", { ConstraintError: refuseConstraint }, (_, error) => Effect.die(error))
        ),
      upsertMany: (project, contacts, now) =>
        upsertCounted(sql, project, contacts, DateTime.toDate(now)).pipe(
          Effect.flatMap(readCount),
          Effect.catchTag("SchemaError", Effect.die),
          Effect.catchReasons("SqlError", { ConstraintError: refuseConstraint }, (_, error) => Effect.die(error))
        ),
      find: (project, id) =>
        sql`select ${columns} from contacts where ${byId(project, id)}`.pipe(
          Effect.flatMap(contactRows),
          Effect.map(Array.head),
          Effect.orDie
        ),
      update: (project, id, change, now) =>
        noting(update(project, id, change, DateTime.toDate(now)), changedNames(change), DateTime.toDate(now)).pipe(
          Effect.flatMap(changedRows),
          Effect.map((found) => Array.head(found.map(({ flipped, ...contact }) => ({ contact, flipped })))),
          Effect.catchTag("SchemaError", Effect.die),
          Effect.catchReasons(
            "SqlError",
            {
              UniqueViolation: () => new EmailAlreadyExists({ email: change.email ?? "" }),
              ConstraintError: refuseConstraint
            },
            (_, error) => Effect.die(error)
          )
        ),
      unsubscribe: (project, email, now) =>
        noting(
          sql`
            update contacts set was_subscribed = true, subscribed = false, updated_at = ${DateTime.toDate(now)}
            where project_id = ${project} and email = ${email} and subscribed`,
          changedNames({ subscribed: false }),
          DateTime.toDate(now)
        ).pipe(
          Effect.flatMap(changedRows),
          Effect.map((found) => found.map(({ flipped, ...contact }) => ({ contact, flipped }))),
          Effect.orDie
        ),
      delete: (project, id) =>
        sql`delete from contacts where ${byId(project, id)} returning id`.pipe(
          Effect.map(Array.isReadonlyArrayNonEmpty),
          Effect.orDie
        ),
      list: (project, filter, order, limit, after, total) =>
        lists.list({ project, filter, order, limit, after, total }).pipe(Effect.flatMap(contactRows), Effect.orDie),
      count: (project, filter) => countOf(lists.count(project, filter)),
      containing: (project, text, limit) =>
        lists.containing(project, text, limit).pipe(Effect.flatMap(contactRows), Effect.orDie),
      // No address has the last code point, so a range of the index has the addresses that begin with the text.
      startingWith: (project, text, limit) =>
        sql`
          select ${columns} from contacts
          where project_id = ${project} and email >= ${text.toLowerCase()}
            and email < ${`${text.toLowerCase()}\u{10ffff}`}
          order by email limit ${limit}`.pipe(Effect.flatMap(contactRows), Effect.orDie)
    })
  })
)

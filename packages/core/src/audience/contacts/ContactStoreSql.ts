/** Contacts in PostgreSQL or PGlite. */

import { type ContactId, EmailAlreadyExists } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { anything, dataName, noteChanges } from "../../events/ChangeNotes.ts"
import { countOf, readCount } from "../../platform/Queries.ts"
import { ExternalIdTaken, isIdTaken, refuseConstraint } from "./ContactConstraints.ts"
import { contactListSql } from "./ContactListSql.ts"
import { contactColumns, contactColumnsOf, contactRows, contactRowsWith } from "./ContactRow.ts"
import { type ContactChange, type ContactNames, ContactStore } from "./ContactStore.ts"
import { flipped, json, upsertContacts, upsertCounted } from "./ContactUpsertSql.ts"

const upsertedRows = contactRowsWith({ isNew: Schema.Boolean, flipped: Schema.Boolean })
const changedRows = contactRowsWith({ flipped: Schema.Boolean })

/** An upsert finds contacts by their addresses, so only an external id can be taken. */
const refuseId = (reason: SqlError.UniqueViolation) =>
  isIdTaken(reason) ? Effect.fail(new ExternalIdTaken()) : Effect.die(reason)

/** The names of what may change. All names if the address changes, because segments skip the contact in that time. */
const changedNames = ({ email, externalId, snoozedUntil, subscribed, data }: ContactChange): ReadonlyArray<string> =>
  data === "clear" || email !== undefined
    ? [anything]
    : [
        "updatedAt",
        ...(externalId === undefined ? [] : ["externalId"]),
        ...(snoozedUntil === undefined ? [] : ["snoozedUntil"]),
        ...(subscribed === undefined ? [] : ["subscribed"]),
        ...[...(data?.remove ?? []), ...Object.keys(data?.set ?? {})].map(dataName)
      ]

export const layer: Layer.Layer<ContactStore, never, SqlClient.SqlClient> = Layer.effect(
  ContactStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(contactColumns)

    /** Returns the rows of an update of `stored` and notes its changes in the same statement. */
    const noting = (update: Statement.Fragment, names: ReadonlyArray<string>, now: Date) => sql`
      with updated as (${update} returning ${sql.literal(contactColumnsOf("stored"))}, ${sql.literal(flipped)}),
      noted as (${noteChanges(
        sql,
        sql`select "projectId", id, ${names}::text[] from updated where "updatedAt" = ${now}::timestamptz`
      )})
      select * from updated`

    const update = (
      project: ProjectId,
      id: ContactId,
      { email, externalId, snoozedUntil, subscribed, data }: ContactChange,
      now: Date
    ) => sql`
      update contacts as stored
      set (email, was_subscribed, subscribed, data, external_id, snoozed_until, updated_at) = (
        select next.email, stored.subscribed, next.subscribed, next.data, next.external_id, next.snoozed_until,
               case when (next.email, next.subscribed, next.data, next.external_id, next.snoozed_until) is distinct from
                         (stored.email, stored.subscribed, stored.data, stored.external_id, stored.snoozed_until)
                    then ${now}::timestamptz else stored.updated_at end
        from (
          select coalesce(${email ?? null}::text, stored.email) as email,
                 coalesce(${subscribed ?? null}::boolean, stored.subscribed) as subscribed,
                 ${changed(data)} as data,
                 ${externalId === undefined ? sql`stored.external_id` : sql`${externalId}::text`} as external_id,
                 ${
                   snoozedUntil === undefined
                     ? sql`stored.snoozed_until`
                     : sql`${snoozedUntil && DateTime.toDate(snoozedUntil)}::timestamptz`
                 } as snoozed_until
        ) as next
      )
      where project_id = ${project} and id = ${id}`

    const changed = (data: ContactChange["data"]) => {
      if (data === undefined) return sql`stored.data`
      if (data === "clear") return sql`'{}'::jsonb`
      return sql`(stored.data - ${data.remove}::text[]) || ${json(sql, data.set)}`
    }

    const named = (project: ProjectId, names: ReadonlyArray<ContactNames>, lock = sql``) => {
      const emails = names.flatMap(({ email }) => email ?? [])
      const ids = names.flatMap(({ externalId }) => externalId ?? [])
      return sql`
        select ${columns} from contacts
        where project_id = ${project} and id = any(array(
          select id from contacts where project_id = ${project} and email = any(${emails}::text[])
          union all
          select id from contacts where project_id = ${project} and external_id = any(${ids}::text[])
        ))
        order by email ${lock}`.pipe(Effect.flatMap(contactRows), Effect.orDie)
    }

    const byId = (project: ProjectId, id: ContactId) => sql`project_id = ${project} and id = ${id}`

    const lists = contactListSql(sql)

    return ContactStore.of({
      upsert: (project, contacts, now) =>
        upsertContacts(sql, project, contacts, DateTime.toDate(now)).pipe(
          Effect.flatMap(upsertedRows),
          Effect.flatMap((written) =>
            Array.isArrayNonEmpty(written) ? Effect.succeed(written) : Effect.die("an upsert wrote no contact")
          ),
          Effect.catchTag("SchemaError", Effect.die),
          Effect.catchReasons(
            "SqlError",
            { UniqueViolation: refuseId, ConstraintError: refuseConstraint },
            (_, error) => Effect.die(error)
          )
        ),
      upsertMany: (project, contacts, now) =>
        upsertCounted(sql, project, contacts, DateTime.toDate(now)).pipe(
          Effect.flatMap(readCount),
          Effect.catchTag("SchemaError", Effect.die),
          Effect.catchReasons(
            "SqlError",
            { UniqueViolation: refuseId, ConstraintError: refuseConstraint },
            (_, error) => Effect.die(error)
          )
        ),
      find: (project, id) =>
        sql`select ${columns} from contacts where ${byId(project, id)}`.pipe(
          Effect.flatMap(contactRows),
          Effect.map(Array.head),
          Effect.orDie
        ),
      named,
      holdNamed: (project, names) => named(project, names, sql`for no key update`),
      hold: (project, id) =>
        sql`select ${columns} from contacts where ${byId(project, id)} for no key update`.pipe(
          Effect.flatMap(contactRows),
          Effect.map(Array.head),
          Effect.orDie
        ),
      update: (project, id, change, now) =>
        noting(update(project, id, change, DateTime.toDate(now)), changedNames(change), DateTime.toDate(now)).pipe(
          Effect.flatMap(changedRows),
          Effect.map(Array.head),
          Effect.catchTag("SchemaError", Effect.die),
          Effect.catchReasons(
            "SqlError",
            {
              UniqueViolation: (reason) =>
                isIdTaken(reason) ? new ExternalIdTaken() : new EmailAlreadyExists({ email: change.email ?? "" }),
              ConstraintError: refuseConstraint
            },
            (_, error) => Effect.die(error)
          )
        ),
      unsubscribe: (project, email, now) =>
        noting(
          sql`
            update contacts as stored set was_subscribed = true, subscribed = false, updated_at = ${DateTime.toDate(now)}
            where project_id = ${project} and email = ${email} and subscribed`,
          changedNames({ subscribed: false }),
          DateTime.toDate(now)
        ).pipe(Effect.flatMap(changedRows), Effect.orDie),
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

/** Batches of contacts in PostgreSQL, served or embedded. */
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { maxDataBytes } from "@posthorn/contract/audience/contacts/ContactData"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { noteChanges } from "../../events/ChangeNotes.ts"

/** Each method is one statement and takes the project id first. */
export interface ContactBatchStore {
  /** The given addresses that already have a contact. */
  readonly known: (project: ProjectId, emails: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
  /**
   * What an upsert of these contacts would meet: the addresses that already have a contact, and whether the data of any
   * contact would be too large after the merge. The addresses must be distinct.
   */
  readonly foresee: (
    project: ProjectId,
    contacts: ReadonlyArray<{ readonly email: string; readonly data: Schema.JsonObject }>
  ) => Effect.Effect<{ readonly known: ReadonlySet<string>; readonly isTooLarge: boolean }>
  /**
   * Locks the given contacts until the caller's transaction ends and returns the ids that exist. With `change`, no
   * other transaction can change them. With `delete`, no other transaction can add a reference to them either, such
   * as a segment membership.
   */
  readonly hold: (
    project: ProjectId,
    ids: ReadonlyArray<ContactId>,
    to: "change" | "delete"
  ) => Effect.Effect<ReadonlySet<ContactId>>
  /** Sets the subscription of the contacts and returns the ids whose subscription changed. */
  readonly setSubscribed: (
    project: ProjectId,
    ids: ReadonlyArray<ContactId>,
    subscribed: boolean,
    now: DateTime.Utc
  ) => Effect.Effect<ReadonlyArray<ContactId>>
  readonly delete: (project: ProjectId, ids: ReadonlyArray<ContactId>) => Effect.Effect<void>
}

const ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ContactId })))
const foreseenRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ email: Schema.String, isKnown: Schema.Boolean, isTooLarge: Schema.Boolean }))
)
/** The constraint of the table, for the data that it would have. */
const tooLarge = String.raw`octet_length(data::text) > ${maxDataBytes}
  and octet_length(regexp_replace(data::text, '("(?:[^"\\]|\\.)*")| ', '\1', 'g')) > ${maxDataBytes}`
const emailRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ email: Schema.String })))

export const make = Effect.map(SqlClient.SqlClient, (sql): ContactBatchStore => {
  const idsOf = (statement: Effect.Effect<unknown, unknown>) =>
    statement.pipe(
      Effect.flatMap(ids),
      Effect.map((rows) => rows.map(({ id }) => id)),
      Effect.orDie
    )
  const among = (project: ProjectId, wanted: ReadonlyArray<ContactId>) =>
    sql`project_id = ${project} and id = any(${wanted}::uuid[])`

  return {
    known: (project, emails) =>
      sql`select email from contacts where project_id = ${project} and email = any(${emails}::text[])`.pipe(
        Effect.flatMap(emailRows),
        Effect.map((rows) => new Set(rows.map(({ email }) => email))),
        Effect.orDie
      ),
    foresee: Effect.fnUntraced(function* (project, contacts) {
      const found = yield* foreseenRows(
        yield* sql`
          select email, is_known as "isKnown", ${sql.literal(tooLarge)} as "isTooLarge"
          from (
            select given.email, contacts.id is not null as is_known, coalesce(contacts.data, '{}') || given.data as data
            from jsonb_to_recordset(${JSON.stringify(contacts)}::text::jsonb) as given(email text, data jsonb)
            left join contacts on contacts.project_id = ${project} and contacts.email = given.email
          ) as merged`
      )
      return {
        known: new Set(found.flatMap(({ email, isKnown }) => (isKnown ? [email] : []))),
        isTooLarge: found.some(({ isTooLarge }) => isTooLarge)
      }
    }, Effect.orDie),
    // Locks in the order of addresses, as every writer of many contacts does, to avoid deadlocks.
    hold: (project, wanted, to) =>
      Effect.map(
        idsOf(sql`
          select id from contacts where ${among(project, wanted)}
          order by email for ${to === "delete" ? sql`update` : sql`no key update`}`),
        (held) => new Set(held)
      ),
    setSubscribed: (project, wanted, subscribed, now) =>
      idsOf(sql`
        with changed as (
          update contacts set was_subscribed = subscribed, subscribed = ${subscribed},
                 updated_at = ${DateTime.toDate(now)}
          where ${among(project, wanted)} and subscribed <> ${subscribed} returning project_id, id
        ),
        noted as (${noteChanges(sql, sql`select project_id, id, array['subscribed', 'updatedAt'] from changed`)})
        select id from changed`),
    delete: (project, wanted) => Effect.asVoid(Effect.orDie(sql`delete from contacts where ${among(project, wanted)}`))
  }
})

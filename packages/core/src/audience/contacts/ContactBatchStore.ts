/** Batches of contacts in PostgreSQL, served or embedded. */
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { maxDataBytes } from "@posthorn/contract/audience/contacts/ContactData"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { noteChanges } from "../../events/ChangeNotes.ts"
import type { StoredProof } from "../consents/ConsentProof.ts"
import { consentParts, stateColumns } from "../consents/ConsentSql.ts"
import { deleteContacts } from "../consents/FirstConsent.ts"
import { json } from "./ContactUpsertSql.ts"
import { talliedByStatement } from "./TalliesSql.ts"

/** Each method is one statement and takes the project id first. */
export interface ContactBatchStore {
  /** The given addresses that already have a contact. */
  readonly known: (project: ProjectId, emails: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
  /** The given ids by which a server finds a contact. */
  readonly knownIds: (project: ProjectId, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
  /**
   * What an upsert of these contacts would meet: the contacts that the addresses already have, and whether the data of
   * any would be too large after the merge. The addresses must be distinct.
   */
  readonly foresee: (
    project: ProjectId,
    contacts: ReadonlyArray<{ readonly email: string; readonly data: Schema.JsonObject }>
  ) => Effect.Effect<{
    readonly known: ReadonlyMap<string, { readonly subscribed: boolean; readonly topics: ReadonlySet<string> }>
    readonly isTooLarge: boolean
  }>
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
  /**
   * Sets the subscription of the contacts and returns the ids whose subscription changed. Each change is recorded with
   * the proof. `records` has the id of the record for each contact.
   */
  readonly setSubscribed: (
    project: ProjectId,
    records: ReadonlyMap<ContactId, string>,
    subscribed: boolean,
    proof: StoredProof,
    now: DateTime.Utc
  ) => Effect.Effect<ReadonlyArray<ContactId>>
  /** The first record of a contact that has none is written. */
  readonly delete: (project: ProjectId, ids: ReadonlyArray<ContactId>, now: DateTime.Utc) => Effect.Effect<void>
}

const ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ContactId })))
const foreseenRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      email: Schema.String,
      /** Null if the address has no contact. */
      subscribed: Schema.NullOr(Schema.Boolean),
      topics: Schema.NullOr(Schema.Array(Schema.String)),
      isTooLarge: Schema.Boolean
    })
  )
)
/** The constraint of the table, for the data that it would have. */
const tooLarge = String.raw`octet_length(data::text) > ${maxDataBytes}
  and octet_length(regexp_replace(data::text, '("(?:[^"\\]|\\.)*")| ', '\1', 'g')) > ${maxDataBytes}`
const externalIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))
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
    knownIds: (project, wanted) =>
      sql`
        select external_id as id from contacts where project_id = ${project} and external_id = any(${wanted}::text[])
        union all
        select alias from contact_aliases
        where project_id = ${project} and alias = any(${wanted}::text[]) and verified`.pipe(
        Effect.flatMap(externalIds),
        Effect.map((rows) => new Set(rows.map(({ id }) => id))),
        Effect.orDie
      ),
    foresee: Effect.fnUntraced(function* (project, contacts) {
      const found = yield* foreseenRows(
        yield* sql`
          select email, subscribed, topics, ${sql.literal(tooLarge)} as "isTooLarge"
          from (
            select given.email, contacts.subscribed, contacts.topics_on as topics, coalesce(contacts.data, '{}') || given.data as data
            from jsonb_to_recordset(${JSON.stringify(contacts)}::text::jsonb) as given(email text, data jsonb)
            left join contacts on contacts.project_id = ${project} and contacts.email = given.email
          ) as merged`
      )
      return {
        known: new Map(
          found.flatMap(({ email, subscribed, topics }) =>
            subscribed === null ? [] : [[email, { subscribed, topics: new Set(topics) }] as const]
          )
        ),
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
    setSubscribed: (project, records, subscribed, proof, now) => {
      const at = DateTime.toDate(now)
      const consent = sql`jsonb_build_object('proof', stored_proof, 'entries', jsonb_build_array(jsonb_build_object(
        'id', record, 'to', ${subscribed ? "subscribed" : "unsubscribed"}::text)))`
      const rows = sql`select *, false as "isNew", ${consent} as consent from changed`
      // The update reads `given` before it changes a contact, so the triggers of totals see the setting.
      return idsOf(sql`
        with given as materialized (select ${json(sql, proof)} as stored_proof, ${talliedByStatement(sql)}),
        changed as (
          update contacts
          set was_subscribed = subscribed, subscribed = ${subscribed}, was_topics_on = topics_on,
              was_topics_off = topics_off, was_proven = proven, proven = true, updated_at = ${at}
          from given, unnest(${[...records.keys()]}::uuid[], ${[...records.values()]}::uuid[]) as recorded(contact, record)
          where project_id = ${project} and id = contact and subscribed <> ${subscribed}
          returning id, project_id as "projectId", email, subscribed, origin, origin_id as "originId",
                    created_at as "createdAt", true as flipped, stored_proof, record, ${sql.literal(stateColumns)}
        ),
        ${consentParts(sql, project, rows, at, proof.wording !== undefined)},
        noted as (${noteChanges(sql, sql`select "projectId", id, array['subscribed', 'updatedAt'] from changed`)})
        select id from changed`)
    },
    delete: (project, wanted, now) =>
      Effect.asVoid(Effect.orDie(deleteContacts(sql, among(project, wanted), DateTime.toDate(now))))
  }
})

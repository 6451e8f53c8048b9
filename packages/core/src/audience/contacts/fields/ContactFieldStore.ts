/**
 * Contact fields in PostgreSQL or PGlite.
 *
 * No index covers arbitrary keys, so queries about all contacts read all contacts. They read them once, in ranges of
 * the primary key, so that no statement holds a connection for long.
 */
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dataName, noteChanges } from "../../../events/ChangeNotes.ts"
import { countOf } from "../../../platform/Queries.ts"
import { isoDatePattern, type ValueKind } from "./FieldKind.ts"

/** A range of contacts in the order of ids, which is the order of creation. */
export interface IdRange {
  /** Exclusive. No bound if absent. */
  readonly before?: ContactId | undefined
  /** Inclusive. No bound if absent. */
  readonly from?: ContactId | undefined
}

/** Fields of the contact itself that it may lack. */
export type OptionalField = "externalId" | "origin.source" | "snoozedUntil"

/** Every method takes the project id first, so every query is limited to one project. */
export interface ContactFieldStore {
  readonly countContacts: (project: ProjectId) => Effect.Effect<number>
  /**
   * The id of the contact `size` contacts before the end of the span. Undefined if the span has no more contacts than
   * that.
   */
  readonly boundary: (
    project: ProjectId,
    before: ContactId | undefined,
    size: number
  ) => Effect.Effect<ContactId | undefined>
  /** Counts the contacts of the span that have each top-level key, for the `most` most frequent keys. */
  readonly countKeys: (
    project: ProjectId,
    span: IdRange,
    most: number
  ) => Effect.Effect<ReadonlyArray<{ readonly key: string; readonly count: number }>>
  /** Counts the contacts of the span that have each of the fields that may be missing. `now` tells open snoozes. */
  readonly countOptional: (
    project: ProjectId,
    span: IdRange,
    now: DateTime.Utc
  ) => Effect.Effect<Readonly<Record<OptionalField, number>>>
  /**
   * The kinds of values of each key, from the newest contacts of the span that have it. `needs` says how many to read
   * for each key.
   */
  readonly kinds: (
    project: ProjectId,
    span: IdRange,
    needs: ReadonlyMap<string, number>
  ) => Effect.Effect<ReadonlyArray<{ readonly key: string; readonly kind: ValueKind }>>
  /** Distinct non-empty texts, numbers and booleans, ordered as text. */
  readonly values: (
    project: ProjectId,
    key: string,
    limit: number
  ) => Effect.Effect<ReadonlyArray<string | number | boolean>>
  readonly countHaving: (project: ProjectId, key: string) => Effect.Effect<number>
  /**
   * Removes the key from the first `limit` contacts after `after` that have it, in one statement. Returns how many
   * there were and the last id.
   */
  readonly remove: (
    project: ProjectId,
    key: string,
    after: ContactId | undefined,
    limit: number,
    now: DateTime.Utc
  ) => Effect.Effect<{ readonly count: number; readonly last: ContactId | undefined }>
}

const ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ContactId })))
const counts = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ key: Schema.String, count: Schema.Int })))
const kindRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      key: Schema.String,
      kind: Schema.Literals(["string", "number", "boolean", "date", "object", "array"])
    })
  )
)
const optionalRow = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ externalId: Schema.Int, snoozedUntil: Schema.Int, "origin.source": Schema.Int })])
)
const valueRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ value: Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]) }))
)

export const make = Effect.map(SqlClient.SqlClient, (sql): ContactFieldStore => {
  const within = (project: ProjectId, { before, from }: IdRange) =>
    sql.and([
      sql`project_id = ${project}`,
      ...(before === undefined ? [] : [sql`id < ${before}`]),
      ...(from === undefined ? [] : [sql`id >= ${from}`])
    ])

  return {
    countContacts: (project) =>
      countOf(sql`select coalesce(sum(contacts), 0)::int as count from contact_tallies where project_id = ${project}`),
    boundary: (project, before, size) =>
      sql`
        select id from contacts where ${within(project, { before })}
        order by project_id desc, id desc offset ${size - 1} limit 1`.pipe(
        Effect.flatMap(ids),
        Effect.map(([row]) => row?.id),
        Effect.orDie
      ),
    countKeys: (project, span, most) =>
      sql`
        select key, count(*)::int as count from contacts, jsonb_object_keys(data) as key
        where ${within(project, span)} group by key
        order by count(*) desc, key limit ${most}`.pipe(Effect.flatMap(counts), Effect.orDie),
    countOptional: (project, span, now) =>
      sql`
        select count(external_id)::int as "externalId", count(origin)::int as "origin.source",
               (count(*) filter (where snoozed_until > ${DateTime.toDate(now)}))::int as "snoozedUntil"
        from contacts where ${within(project, span)}`.pipe(
        Effect.flatMap(optionalRow),
        Effect.map(([counts]) => counts),
        Effect.orDie
      ),
    // The keys are filtered inside the function call. A join would be planned for a hundred keys per contact and
    // JIT-compiled, which takes longer than the read itself.
    kinds: (project, span, needs) =>
      sql`
        select distinct key, kind from (
          select field.key, row_number() over (partition by field.key order by id desc) as place,
                 case when jsonb_typeof(value) <> 'string' then jsonb_typeof(value)
                      when value #>> '{}' ~ ${isoDatePattern} then 'date' else 'string' end as kind
          from contacts cross join jsonb_each(data) as field(key, value)
          where ${within(project, span)} and field.key = any(${[...needs.keys()]}::text[])
        ) as newest
        where place <= (${JSON.stringify(Object.fromEntries(needs))}::text::jsonb ->> key)::int`.pipe(
        Effect.flatMap(kindRows),
        Effect.orDie
      ),
    values: (project, key, limit) =>
      sql`
        select value from (
          select distinct data -> ${key}::text as value from contacts
          where project_id = ${project}
            and jsonb_typeof(data -> ${key}::text) in ('string', 'number', 'boolean') and data ->> ${key}::text <> ''
        ) as different
        order by (value #>> '{}') collate "C", jsonb_typeof(value) limit ${limit}`.pipe(
        Effect.flatMap(valueRows),
        Effect.map((rows) => rows.map(({ value }) => value)),
        Effect.orDie
      ),
    countHaving: (project, key) =>
      countOf(sql`
        select count(*)::int as count from contacts where project_id = ${project} and jsonb_exists(data, ${key}::text)`),
    // Finds contacts by primary key and locks them in the order of addresses, as every writer of many contacts does.
    remove: (project, key, after, limit, now) =>
      sql`
        with holders as materialized (
          select id from contacts
          where project_id = ${project} and jsonb_exists(data, ${key}::text)
            ${after === undefined ? sql`` : sql`and id > ${after}`}
          order by id limit ${limit}
        ),
        held as materialized (
          select id from contacts where project_id = ${project} and id in (select id from holders)
          order by email for no key update
        ),
        changed as (
          update contacts set data = data - ${key}::text, updated_at = ${DateTime.toDate(now)}
          from held where contacts.project_id = ${project} and contacts.id = held.id
          returning contacts.project_id, contacts.id
        ),
        noted as (${noteChanges(sql, sql`select project_id, id, array['updatedAt', ${dataName(key)}] from changed`)})
        select id from changed`.pipe(
        Effect.flatMap(ids),
        Effect.map((rows) => ({
          count: rows.length,
          last: rows.reduce<ContactId | undefined>(
            (last, { id }) => (last === undefined || id > last ? id : last),
            undefined
          )
        })),
        Effect.orDie
      )
  }
})

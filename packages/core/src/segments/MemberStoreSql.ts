/**
 * Members in PostgreSQL, served or embedded: one statement for each direction, whatever their number.
 *
 * Contacts are share-locked as they join, so one that is deleted at the same moment is left out, and one that changes is
 * looked at again.
 */
import { ProjectId } from "@posthorn/contract/Auth"
import { Contact, ContactId } from "@posthorn/contract/contacts/Contact"
import type { SegmentId } from "@posthorn/contract/segments/Segment"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { contactColumns } from "../contacts/ContactUpsertSql.ts"
import { conditionSql } from "../filters/FilterSql.ts"
import { type Audience, MemberStore, type Scope } from "./MemberStore.ts"

const contactRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      ...Contact.fields,
      projectId: ProjectId,
      createdAt: Schema.DateTimeUtcFromDate,
      updatedAt: Schema.DateTimeUtcFromDate
    })
  )
)
const idRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ContactId })))
const Addressed = Schema.Struct({ email: Schema.String, contact: ContactId })
const addressedRows = Schema.decodeUnknownEffect(Schema.Array(Addressed))
const addedRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...Addressed.fields, isNew: Schema.Boolean }))
)
const emailRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ email: Schema.String })))
const countRow = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

export const layer: Layer.Layer<MemberStore, never, SqlClient.SqlClient> = Layer.effect(
  MemberStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(contactColumns)

    const matching = ({ condition, scope }: Audience) =>
      sql`contacts.project_id = ${scope.project} and ${conditionSql(sql, condition, scope)}`

    const membersOf = (project: ProjectId, segment: SegmentId) =>
      sql`project_id = ${project} and segment_id = ${segment}`

    /** The lock is the last word: ids of an outer query are in the order that the ids of this one are taken in. */
    const ids = Effect.map((found: ReadonlyArray<{ readonly id: ContactId }>) => found.map(({ id }) => id).sort())

    const within = (column: string, scope: Scope) => {
      const id = sql.literal(column)
      if ("contacts" in scope) return sql`${id} = any(${scope.contacts}::uuid[])`
      return scope.after === undefined ? sql`true` : sql`${id} > ${scope.after}`
    }
    const upTo = (scope: Scope) => ("contacts" in scope ? sql`` : sql`limit ${scope.limit}`)

    return MemberStore.of({
      count: (audience) =>
        sql`select count(*)::int as count from contacts where ${matching(audience)}`.pipe(
          Effect.flatMap(countRow),
          Effect.map(([{ count }]) => count),
          Effect.orDie
        ),
      list: (audience, { limit, offset }) =>
        sql`
          select ${columns} from contacts where ${matching(audience)}
          order by created_at desc, id desc limit ${limit} offset ${offset}`.pipe(
          Effect.flatMap(contactRows),
          Effect.orDie
        ),
      countStored: (project, segment) =>
        sql`select count(*)::int as count from segment_members where ${membersOf(project, segment)}`.pipe(
          Effect.flatMap(countRow),
          Effect.map(([{ count }]) => count),
          Effect.orDie
        ),
      listAdded: (project, segment, { limit, offset }) =>
        sql`
          with page as (
            select contact_id, added_at from segment_members
            where ${membersOf(project, segment)} and added_at is not null
            order by added_at desc, contact_id desc limit ${limit} offset ${offset}
          )
          select ${columns} from page join contacts on project_id = ${project} and id = contact_id
          order by added_at desc, contact_id desc`.pipe(Effect.flatMap(contactRows), Effect.orDie),
      unknown: (project, emails) =>
        sql`
          select email from unnest(${emails}::text[]) as given(email)
          where not exists (select from contacts where project_id = ${project} and contacts.email = given.email)`.pipe(
          Effect.flatMap(emailRows),
          Effect.map((found) => found.map(({ email }) => email)),
          Effect.orDie
        ),
      add: (project, segment, emails, now) =>
        sql`
          with found as materialized (
            select email, id from contacts where project_id = ${project} and email = any(${emails}::text[])
            for key share
          ),
          added as (
            insert into segment_members (project_id, segment_id, contact_id, added_at)
            select ${project}::uuid, ${segment}::uuid, id, ${DateTime.toDate(now)}::timestamptz from found
            on conflict do nothing returning contact_id
          )
          select email, id as contact, contact_id is not null as "isNew"
          from found left join added on contact_id = id`.pipe(Effect.flatMap(addedRows), Effect.orDie),
      remove: (project, segment, emails) =>
        sql`
          delete from segment_members as member using contacts
          where member.project_id = ${project} and member.segment_id = ${segment}
            and contacts.project_id = ${project} and contacts.id = member.contact_id
            and contacts.email = any(${emails}::text[])
          returning contacts.email, member.contact_id as contact`.pipe(Effect.flatMap(addressedRows), Effect.orDie),
      join: (segment, audience, scope) =>
        sql`
          insert into segment_members (project_id, segment_id, contact_id)
          select project_id, ${segment}::uuid, id from contacts
          where ${matching(audience)} and ${within("contacts.id", scope)} and not exists (
            select from segment_members as member
            where member.project_id = ${audience.scope.project} and member.segment_id = ${segment}
              and member.contact_id = contacts.id
          )
          order by id ${upTo(scope)} for key share of contacts
          on conflict do nothing returning contact_id as id`.pipe(Effect.flatMap(idRows), ids, Effect.orDie),
      leave: (segment, audience, scope) =>
        sql`
          delete from segment_members
          where ${membersOf(audience.scope.project, segment)} and contact_id in (
            select member.contact_id from segment_members as member
            join contacts on contacts.project_id = member.project_id and contacts.id = member.contact_id
            where member.project_id = ${audience.scope.project} and member.segment_id = ${segment}
              and ${within("member.contact_id", scope)} and (${matching(audience)}) is not true
            order by member.contact_id ${upTo(scope)}
          )
          returning contact_id as id`.pipe(Effect.flatMap(idRows), ids, Effect.orDie),
      fill: (segment, audience) =>
        sql`
          with filled as (
            insert into segment_members (project_id, segment_id, contact_id)
            select project_id, ${segment}::uuid, id from contacts where ${matching(audience)}
            for key share of contacts
            on conflict do nothing returning 1
          )
          select count(*)::int as count from filled`.pipe(
          Effect.flatMap(countRow),
          Effect.map(([{ count }]) => count),
          Effect.orDie
        ),
      clear: (project, segment) =>
        sql`delete from segment_members where ${membersOf(project, segment)}`.pipe(Effect.asVoid, Effect.orDie)
    })
  })
)

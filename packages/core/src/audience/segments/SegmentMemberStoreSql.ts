/** Segment members in PostgreSQL or PGlite. */

import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { countOf } from "../../platform/Queries.ts"
import { contactColumns, contactRows } from "../contacts/ContactRow.ts"
import { liveQuery } from "../filters/LiveQuery.ts"
import {
  type Among,
  addedPage,
  contactWindow,
  joining,
  leaving,
  matching as matchingSql,
  memberWindow
} from "./SegmentMemberSql.ts"
import { type Audience, type Scope, SegmentMemberStore } from "./SegmentMemberStore.ts"

const idRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ContactId })))
const Addressed = Schema.Struct({ email: Schema.String, contact: ContactId })
const addressedRows = Schema.decodeUnknownEffect(Schema.Array(Addressed))
const addedRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...Addressed.fields, isNew: Schema.Boolean }))
)
const emailRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ email: Schema.String })))

export const layer: Layer.Layer<SegmentMemberStore, never, SqlClient.SqlClient> = Layer.effect(
  SegmentMemberStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(contactColumns)

    const matching = (audience: Audience, few = false) => matchingSql(sql, audience, few)

    const membersOf = (project: ProjectId, segment: SegmentId) =>
      sql`project_id = ${project} and segment_id = ${segment}`

    /** Moves contacts among the given ones or, for a whole segment, up to a limit in the next window. */
    const moving = Effect.fnUntraced(function* (
      scope: Scope,
      windowEnd: (after: ContactId | undefined) => Statement.Statement<unknown>,
      move: (among: Among) => Statement.Statement<unknown>
    ) {
      const moved = (among: Among) =>
        Effect.map(Effect.flatMap(move(among), idRows), (found) => found.map(({ id }) => id).sort())
      if ("contacts" in scope) return { contacts: yield* moved(scope), next: undefined }
      const { after, limit } = scope
      const [last] = yield* idRows(yield* windowEnd(after))
      const contacts = yield* moved({ after, until: last?.id, limit })
      return { contacts, next: contacts.length < limit ? last?.id : contacts.at(-1) }
    }, Effect.orDie)

    return SegmentMemberStore.of({
      count: (audience) =>
        countOf(liveQuery(sql, sql`select count(*)::int as count from contacts where ${matching(audience)}`)),
      list: (audience, { limit, offset }) =>
        liveQuery(
          sql,
          sql`
            select ${columns} from contacts where ${matching(audience)}
            order by created_at desc, id desc limit ${limit} offset ${offset}`
        ).pipe(Effect.flatMap(contactRows), Effect.orDie),
      matches: (audience, contact) =>
        sql`select id from contacts where id = ${contact} and ${matching(audience, true)}`.pipe(
          Effect.map(({ length }) => length > 0),
          Effect.orDie
        ),
      countStored: (project, segment) =>
        countOf(sql`select count(*)::int as count from segment_members where ${membersOf(project, segment)}`),
      listAdded: (project, segment, slice) =>
        addedPage(sql, project, segment, slice).pipe(Effect.flatMap(contactRows), Effect.orDie),
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
            order by email for key share
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
        moving(
          scope,
          (after) => contactWindow(sql, audience.scope.project, after),
          (among) => joining(sql, segment, audience, among)
        ),
      leave: (segment, audience, scope) =>
        moving(
          scope,
          (after) => memberWindow(sql, audience.scope.project, segment, after),
          (among) => leaving(sql, segment, audience, among)
        ),
      fill: (segment, audience) =>
        countOf(sql`
          with filled as (
            insert into segment_members (project_id, segment_id, contact_id)
            select project_id, ${segment}::uuid, id from contacts where ${matching(audience)}
            for key share of contacts skip locked
            on conflict do nothing returning 1
          )
          select count(*)::int as count from filled`),
      clear: (project, segment) =>
        sql`delete from segment_members where ${membersOf(project, segment)}`.pipe(Effect.asVoid, Effect.orDie)
    })
  })
)

/**
 * Members in PostgreSQL, served or embedded: one statement for each direction, whatever their number.
 *
 * Contacts are share-locked as they join, which every change but two lets pass. One that somebody deletes, or gives another
 * address, is left out, for whoever waited for it could be waited for: it ends, or is looked at again as a whole.
 *
 * A segment as a whole is gone through in windows of ids, and in a window each contact is looked up by its key: what a
 * step costs then depends on no estimate. As an anti-join the planner, who knows little of a table that was empty a moment
 * ago, made it quadratic: at a million contacts 45 seconds for a step instead of 30 milliseconds.
 */
import { ProjectId } from "@posthorn/contract/Auth"
import { Contact, ContactId } from "@posthorn/contract/contacts/Contact"
import type { SegmentId } from "@posthorn/contract/segments/Segment"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { contactColumns } from "../contacts/ContactUpsertSql.ts"
import { conditionSql } from "../filters/FilterSql.ts"
import { liveCount } from "../filters/LiveCount.ts"
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

/** Contacts, or members, that one step looks at. */
const window = 20_000

export const layer: Layer.Layer<MemberStore, never, SqlClient.SqlClient> = Layer.effect(
  MemberStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(contactColumns)

    const holds = ({ condition, scope }: Audience, few: boolean) => conditionSql(sql, condition, { ...scope, few })

    const matching = (audience: Audience, few = false) =>
      sql`contacts.project_id = ${audience.scope.project} and ${holds(audience, few)}`

    const membersOf = (project: ProjectId, segment: SegmentId) =>
      sql`project_id = ${project} and segment_id = ${segment}`

    /** The id at the end of the next window of `ids`; nothing in the last window. */
    const windowEnd = (ids: Statement.Fragment, after: ContactId | undefined) =>
      sql`
        select id from (${ids}) as walked(id) where ${after === undefined ? sql`true` : sql`id > ${after}`}
        order by id offset ${window - 1} limit 1`.pipe(
        Effect.flatMap(idRows),
        Effect.map(([row]) => row?.id)
      )

    /** Moves those among the contacts or, of `ids`, up to a limit of the next window. */
    const moving = Effect.fnUntraced(function* (
      scope: Scope,
      ids: Statement.Fragment,
      move: (
        within: (id: Statement.Fragment) => Statement.Fragment,
        limit: Statement.Fragment
      ) => Statement.Statement<unknown>
    ) {
      const moved = (statement: Statement.Statement<unknown>) =>
        Effect.map(Effect.flatMap(statement, idRows), (found) => found.map(({ id }) => id).sort())
      if ("contacts" in scope) {
        const contacts = yield* moved(move((id) => sql`${id} = any(${scope.contacts}::uuid[])`, sql``))
        return { contacts, next: undefined }
      }
      const { after, limit } = scope
      const end = yield* windowEnd(ids, after)
      const within = (id: Statement.Fragment) =>
        sql.and([
          sql`true`,
          ...(after === undefined ? [] : [sql`${id} > ${after}`]),
          ...(end === undefined ? [] : [sql`${id} <= ${end}`])
        ])
      const contacts = yield* moved(move(within, sql`limit ${limit}`))
      return { contacts, next: contacts.length < limit ? end : contacts.at(-1) }
    }, Effect.orDie)

    return MemberStore.of({
      count: (audience) =>
        liveCount(sql, sql`select count(*)::int as count from contacts where ${matching(audience)}`).pipe(
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
      matches: (audience, contact) =>
        sql`select id from contacts where id = ${contact} and ${matching(audience, true)}`.pipe(
          Effect.map(({ length }) => length > 0),
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
      join: (segment, audience, scope) => {
        const { project } = audience.scope
        const ids = sql`select id from contacts where project_id = ${project}`
        return moving(
          scope,
          ids,
          (within, limit) => sql`
            insert into segment_members (project_id, segment_id, contact_id)
            select project_id, ${segment}::uuid, id from contacts
            where ${matching(audience, true)} and ${within(sql`contacts.id`)} and (
              select true from segment_members as member
              where member.project_id = ${project} and member.segment_id = ${segment} and member.contact_id = contacts.id
            ) is null
            order by id ${limit} for key share of contacts skip locked
            on conflict do nothing returning contact_id as id`
        )
      },
      leave: (segment, audience, scope) => {
        const { project } = audience.scope
        const ids = sql`select contact_id from segment_members where ${membersOf(project, segment)}`
        return moving(
          scope,
          ids,
          (within, limit) => sql`
            with leaving as materialized (
              select contact_id from segment_members
              where ${membersOf(project, segment)} and ${within(sql`contact_id`)} and (
                select ${holds(audience, true)} from contacts
                where contacts.project_id = ${project} and contacts.id = contact_id
              ) is not true
              order by contact_id ${limit}
            )
            delete from segment_members as member using leaving
            where member.project_id = ${project} and member.segment_id = ${segment}
              and member.contact_id = leaving.contact_id
            returning member.contact_id as id`
        )
      },
      fill: (segment, audience) =>
        sql`
          with filled as (
            insert into segment_members (project_id, segment_id, contact_id)
            select project_id, ${segment}::uuid, id from contacts where ${matching(audience)}
            for key share of contacts skip locked
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

/** Segment members in PostgreSQL or PGlite. */
import { type Contact, ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { type Segment, SegmentId } from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { Slice } from "../../platform/OffsetPages.ts"
import { countOf } from "../../platform/Queries.ts"
import { contactColumns, contactRows } from "../contacts/ContactRow.ts"
import { countSql } from "../filters/CountSql.ts"
import type { Audience } from "../filters/FilterScope.ts"
import { conditionSql } from "../filters/FilterSql.ts"
import { liveQuery } from "../filters/LiveQuery.ts"
import {
  type Among,
  addedPage,
  contactWindow,
  counting,
  joining,
  leaving,
  matching as matchingSql,
  memberWindow
} from "./SegmentMemberSql.ts"

/**
 * Which contacts to evaluate: the given ones, or, in the order of ids, those after `after` until at most `limit` have
 * moved.
 */
export type ContactSelection =
  | { readonly contacts: ReadonlyArray<ContactId> }
  | { readonly limit: number; readonly after: ContactId | undefined }

/** The contacts that joined or left in one step. */
export interface Moved {
  /** In the order of ids. */
  readonly contacts: ReadonlyArray<ContactId>
  /** Where the next step continues. Absent when all contacts were evaluated. */
  readonly next: ContactId | undefined
}

/** A given address with its contact. */
const Addressed = Schema.Struct({ email: Schema.String, contact: ContactId })
type Addressed = typeof Addressed.Type

/**
 * Every method takes the project id first, unless the audience contains it, so every query is limited to one project.
 * Methods that change the members of a segment require the lock of the segment and join the caller's transaction. `add`,
 * `remove`, `join` and `leave` change its count by the same statement.
 */
export interface SegmentMemberStore {
  /** The number of matching contacts. */
  readonly count: (audience: Audience) => Effect.Effect<number>
  /** Matching contacts, newest first. */
  readonly list: (audience: Audience, slice: Slice) => Effect.Effect<ReadonlyArray<Contact>>
  /** Those of the segments that contain the contact, with the time at which it joined, if that was recorded. */
  readonly ofContact: (
    project: ProjectId,
    contact: ContactId,
    segments: ReadonlyArray<{ readonly segment: Pick<Segment, "id">; readonly audience: Audience }>
  ) => Effect.Effect<ReadonlyMap<SegmentId, DateTime.Utc | null>>
  /** The number of stored members. */
  readonly countStored: (project: ProjectId, segment: SegmentId) => Effect.Effect<number>
  /** Members that were added by hand, newest first. */
  readonly listAdded: (project: ProjectId, segment: SegmentId, slice: Slice) => Effect.Effect<ReadonlyArray<Contact>>
  /** The given addresses that have no contact. */
  readonly unknown: (project: ProjectId, emails: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>>
  /**
   * Adds the contacts with these addresses as members. Returns all contacts found, and which of them are new members.
   */
  readonly add: (
    project: ProjectId,
    segment: SegmentId,
    emails: ReadonlyArray<string>,
    now: DateTime.Utc
  ) => Effect.Effect<ReadonlyArray<Addressed & { readonly isNew: boolean }>>
  /** Returns the contacts that were members. */
  readonly remove: (
    project: ProjectId,
    segment: SegmentId,
    emails: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<Addressed>>
  /** Stores matching contacts that are not members yet. */
  readonly join: (segment: SegmentId, audience: Audience, scope: ContactSelection) => Effect.Effect<Moved>
  /** Removes stored members that do not match. */
  readonly leave: (segment: SegmentId, audience: Audience, scope: ContactSelection) => Effect.Effect<Moved>
  /** Stores all matching contacts of a segment that has no members. Returns how many. */
  readonly fill: (segment: SegmentId, audience: Audience) => Effect.Effect<number>
  /** Removes all stored members. */
  readonly clear: (project: ProjectId, segment: SegmentId) => Effect.Effect<void>
}

const idRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ContactId })))
const addressedRows = Schema.decodeUnknownEffect(Schema.Array(Addressed))
const addedRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...Addressed.fields, isNew: Schema.Boolean }))
)
const joinedRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ segment: SegmentId, since: Schema.NullOr(Schema.DateTimeUtcFromDate) }))
)
const emailRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ email: Schema.String })))

export const make = Effect.map(SqlClient.SqlClient, (sql): SegmentMemberStore => {
  const columns = sql.literal(contactColumns)

  const matching = (audience: Audience, few = false) => matchingSql(sql, audience, few)

  const membersOf = (project: ProjectId, segment: SegmentId) => sql`project_id = ${project} and segment_id = ${segment}`

  /** Moves contacts among the given ones or, for a whole segment, up to a limit in the next window. */
  const moving = Effect.fnUntraced(function* (
    scope: ContactSelection,
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

  return {
    count: (audience) => countOf(liveQuery(sql, countSql(sql, audience).unprepared)),
    list: (audience, { limit, offset }) =>
      liveQuery(
        sql,
        sql`
          select ${columns} from contacts where ${matching(audience)}
          order by created_at desc, id desc limit ${limit} offset ${offset}`
      ).pipe(Effect.flatMap(contactRows), Effect.orDie),
    ofContact: Effect.fnUntraced(function* (project, contact, segments) {
      const judged = segments.map(
        ({ segment, audience: { condition, scope } }) =>
          sql`(${segment.id}::uuid, ${conditionSql(sql, condition, { ...scope, few: true })})`
      )
      const found = yield* joinedRows(
        yield* sql`
          select judged.segment, coalesce(member.added_at, member.joined_at) as since
          from contacts cross join lateral (values ${sql.csv(judged)}) as judged(segment, holds)
          left join segment_members as member on member.project_id = ${project}
            and member.segment_id = judged.segment and member.contact_id = contacts.id
          where contacts.project_id = ${project} and contacts.id = ${contact} and judged.holds`
      )
      return new Map(found.map(({ segment, since }) => [segment, since]))
    }, Effect.orDie),
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
        ),
        counted as (${counting(sql, project, segment, sql`added`, 1)})
        select email, id as contact, contact_id is not null as "isNew"
        from found left join added on contact_id = id`.pipe(Effect.flatMap(addedRows), Effect.orDie),
    remove: (project, segment, emails) =>
      sql`
        with gone as (
          delete from segment_members as member using contacts
          where member.project_id = ${project} and member.segment_id = ${segment}
            and contacts.project_id = ${project} and contacts.id = member.contact_id
            and contacts.email = any(${emails}::text[])
          returning contacts.email, member.contact_id as contact
        ),
        counted as (${counting(sql, project, segment, sql`gone`, -1)})
        select email, contact from gone`.pipe(Effect.flatMap(addressedRows), Effect.orDie),
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
          insert into segment_members (project_id, segment_id, contact_id, joined_at)
          select project_id, ${segment}::uuid, id, ${DateTime.toDate(audience.scope.now)}::timestamptz
          from contacts where ${matching(audience)}
          for key share of contacts skip locked
          on conflict do nothing returning 1
        )
        select count(*)::int as count from filled`),
    clear: (project, segment) =>
      sql`delete from segment_members where ${membersOf(project, segment)}`.pipe(Effect.asVoid, Effect.orDie)
  }
})

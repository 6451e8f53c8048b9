/** The statements about requests of recipients about their data, in PostgreSQL or PGlite. */
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import {
  type PrivacyRequest,
  PrivacyRequestId,
  type PrivacyRequestQuery,
  PrivacyRequestStatus,
  PrivacyRequestType
} from "@posthorn/contract/audience/privacy/PrivacyRequest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Schema, Struct } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { Position } from "../../platform/Cursors.ts"
import { countOf } from "../../platform/Queries.ts"
import { hashPrefix } from "../suppression/ErasureKeys.ts"
import { SuppressedAddress } from "../suppression/SuppressedAddress.ts"

const instant = Schema.DateTimeUtcFromDate
const nullable = Schema.NullOr

const Stored = Schema.Struct({
  id: PrivacyRequestId,
  projectId: ProjectId,
  type: PrivacyRequestType,
  status: PrivacyRequestStatus,
  contactId: nullable(ContactId),
  email: nullable(Schema.String),
  requestedAt: instant,
  expiresAt: instant,
  confirmedAt: nullable(instant),
  dueAt: nullable(instant),
  completedAt: nullable(instant),
  note: nullable(Schema.String)
})
/** A request as it is stored. */
export type StoredRequest = typeof Stored.Type
const decode = Schema.decodeUnknownEffect(Schema.Array(Stored))

const Held = Schema.Struct({ email: Schema.String, locale: nullable(Schema.String) })
const heldRows = Schema.decodeUnknownEffect(Schema.Array(Held))
const contactRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ContactId })))
const timeRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ at: instant })))
const closedRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: PrivacyRequestId, isClosed: Schema.Boolean }))
)

const columns = `id, project_id as "projectId", type, status, contact_id as "contactId",
  case when starts_with(email, '${hashPrefix}') then null else email end as email, requested_at as "requestedAt",
  expires_at as "expiresAt", confirmed_at as "confirmedAt", due_at as "dueAt", completed_at as "completedAt", note`

/** The record as callers see it. */
export const recordOf: (stored: StoredRequest) => PrivacyRequest = Struct.pick([
  ...(["id", "type", "status", "contactId", "email", "requestedAt"] as const),
  ...(["confirmedAt", "dueAt", "completedAt", "note"] as const)
])

/** Rows that one statement deletes. */
const batch = 5_000

export type PrivacyRequestStore = Effect.Success<typeof make>

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const addresses = yield* SuppressedAddress
  const all = sql.literal(columns)
  const time = (at: DateTime.Utc | null) => sql`${at && DateTime.toDate(at)}::timestamptz`

  const found = (statement: Effect.Effect<ReadonlyArray<unknown>, unknown>) =>
    statement.pipe(Effect.flatMap(decode), Effect.orDie)
  const one = (statement: Effect.Effect<ReadonlyArray<unknown>, unknown>) => Effect.map(found(statement), Array.head)

  const contact = (project: ProjectId, id: ContactId, lock: Statement.Fragment) =>
    sql`
      select email, data ->> 'locale' as locale from contacts where project_id = ${project} and id = ${id} ${lock}`.pipe(
      Effect.flatMap(heldRows),
      Effect.map(Array.head),
      Effect.orDie
    )

  const request = (project: ProjectId, id: string, lock: Statement.Fragment) =>
    one(sql`select ${all} from privacy_requests where project_id = ${project} and id = ${id} ${lock}`)

  const matching = (project: ProjectId, { status, type }: Pick<PrivacyRequestQuery, "status" | "type">) =>
    sql.and([
      sql`project_id = ${project}`,
      ...(status ? [sql`status = ${status}`] : []),
      ...(type ? [sql`type = ${type}`] : [])
    ])

  return {
    /** The contact, whose requests nothing else stores until the transaction ends. */
    holdContact: (project: ProjectId, id: ContactId) => contact(project, id, sql`for no key update`),
    contact: (project: ProjectId, id: ContactId) => contact(project, id, sql``),
    contactAt: (project: ProjectId, email: string) =>
      sql`select id from contacts where project_id = ${project} and email = ${email}`.pipe(
        Effect.flatMap(contactRows),
        Effect.map(Array.head),
        Effect.orDie
      ),
    /** When the contact, or another one with its address, got the newest mails of this type, newest first. */
    mailTimes: (
      project: ProjectId,
      {
        contact,
        email,
        type
      }: { readonly contact: ContactId; readonly email: string; readonly type: PrivacyRequestType },
      since: DateTime.Utc,
      limit: number
    ) =>
      sql`
        select requested_at as at from privacy_requests
        where project_id = ${project} and type = ${type} and requested_at > ${time(since)}
          and (contact_id = ${contact} or email = any(${addresses.forms(sql`${project}::text`, sql`${email}::text`)}))
        order by requested_at desc limit ${limit}`.pipe(
        Effect.flatMap(timeRows),
        Effect.map((times) => times.map(({ at }) => at)),
        Effect.orDie
      ),
    /** How many requests of the project have not ended, at most `most`. */
    countOpen: (project: ProjectId, most: number) =>
      countOf(sql`
        select count(*)::int as count from (
          select from privacy_requests where project_id = ${project} and status in ('UNCONFIRMED', 'OPEN') limit ${most}
        ) as waiting`),
    insert: ({ id, projectId, type, contactId, email, requestedAt, expiresAt }: StoredRequest) =>
      Effect.orDie(sql`
        insert into privacy_requests (project_id, id, type, status, contact_id, email, requested_at, expires_at)
        values (${projectId}, ${id}, ${type}, 'UNCONFIRMED', ${contactId}, ${email}, ${time(requestedAt)},
                ${time(expiresAt)})`),
    find: (project: ProjectId, id: string) => request(project, id, sql``),
    /** The request, which nothing else changes until the transaction ends. */
    hold: (project: ProjectId, id: string) => request(project, id, sql`for no key update`),
    /** The request after a step. Times that are not given stay. */
    settle: (
      { projectId, id }: StoredRequest,
      step: {
        readonly status: Exclude<PrivacyRequestStatus, "UNCONFIRMED">
        readonly confirmedAt?: DateTime.Utc
        readonly dueAt?: DateTime.Utc
        readonly remindAt?: DateTime.Utc
        readonly completedAt?: DateTime.Utc
        readonly note?: string
      }
    ) =>
      Effect.flatMap(
        one(sql`
          update privacy_requests set status = ${step.status},
            confirmed_at = coalesce(${time(step.confirmedAt ?? null)}, confirmed_at),
            due_at = coalesce(${time(step.dueAt ?? null)}, due_at),
            completed_at = coalesce(${time(step.completedAt ?? null)}, completed_at),
            remind_at = ${time(step.remindAt ?? null)}, note = ${step.note ?? null}
          where project_id = ${projectId} and id = ${id} returning ${all}`),
        Effect.fromOption
      ).pipe(Effect.orDie),
    ofContact: (project: ProjectId, contact: ContactId) =>
      found(sql`
        select ${all} from privacy_requests where project_id = ${project} and contact_id = ${contact}
        order by requested_at desc, id desc`),
    list: (project: ProjectId, query: PrivacyRequestQuery, limit: number, after: Position | undefined) =>
      found(sql`
        select ${all} from privacy_requests where ${matching(project, query)}
        ${
          after === undefined
            ? sql``
            : sql`and (date_trunc('milliseconds', requested_at), id) < (${after.key}::timestamptz, ${after.id}::uuid)`
        }
        order by date_trunc('milliseconds', requested_at) desc, id desc limit ${limit}`),
    count: (project: ProjectId, query: PrivacyRequestQuery) =>
      countOf(sql`select count(*)::int as count from privacy_requests where ${matching(project, query)}`),
    /** Ends requests that were not confirmed in time. */
    expire: (now: DateTime.Utc) =>
      Effect.orDie(sql`
        update privacy_requests set status = 'EXPIRED' where status = 'UNCONFIRMED' and expires_at <= ${time(now)}`),
    /** Takes requests that are due for a reminder. Each is taken once. */
    takeReminders: (now: DateTime.Utc, limit: number) =>
      found(sql`
        update privacy_requests set remind_at = null
        where (project_id, id) in (
          select project_id, id from privacy_requests where remind_at <= ${time(now)}
          order by remind_at limit ${limit} for update skip locked
        )
        returning ${all}`),
    /**
     * The person is erased. Removes who it is from all its requests and ends them. `isClosed`: an erasure that was waiting
     * is done now.
     */
    erase: (project: ProjectId, contact: ContactId, email: string, now: DateTime.Utc) =>
      sql`
        with theirs as materialized (
          select id, status = 'OPEN' as "isClosed" from privacy_requests
          where project_id = ${project} and (contact_id = ${contact} or email = ${email})
          order by id for no key update
        ), stripped as (
          update privacy_requests as request set contact_id = null, note = null, remind_at = null,
            email = case when starts_with(email, ${hashPrefix}) then email
                         else ${addresses.hash(sql`${project}::text`, sql`request.email`)} end,
            status = case status when 'OPEN' then 'DONE' when 'UNCONFIRMED' then 'EXPIRED' else status end,
            completed_at = case when status = 'OPEN' then ${time(now)} else completed_at end
          from theirs where project_id = ${project} and request.id = theirs.id
        )
        select id, "isClosed" from theirs`.pipe(Effect.flatMap(closedRows), Effect.orDie),
    /** Deletes requests that ended before this time. True if there may be more. */
    sweepSome: (before: DateTime.Utc) =>
      sql`
        delete from privacy_requests where (project_id, id) in (
          select project_id, id from privacy_requests
          where requested_at < ${time(before)} and status <> 'OPEN'
            and coalesce(completed_at, confirmed_at, requested_at) < ${time(before)}
          limit ${batch}
        ) returning 1`.pipe(
        Effect.map((gone) => gone.length === batch),
        Effect.orDie
      )
  }
})

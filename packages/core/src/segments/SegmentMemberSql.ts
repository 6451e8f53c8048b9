/**
 * The hot queries of segments: who joins, who leaves, and a page of those who were added by hand.
 *
 * Contacts are share-locked as they join, which every change but two lets pass. One that somebody deletes, or gives another
 * address, is left out, for whoever waited for it could be waited for: it ends, or is looked at again as a whole.
 *
 * A segment as a whole is gone through in windows of ids, and in a window each contact is looked up by its key: what a
 * step costs then depends on no estimate. As an anti-join the planner, who knows little of a table that was empty a moment
 * ago, made it quadratic: at a million contacts 45 seconds for a step instead of 30 milliseconds.
 *
 * Measured at 1,000,000 contacts in one project: `npm run bench -- --only A4,A5`. Plans: `SegmentMemberPlans.test.ts`.
 */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { ContactId } from "@posthorn/contract/contacts/Contact"
import type { SegmentId } from "@posthorn/contract/segments/Segment"
import type { SqlClient, Statement } from "effect/sql"
import { contactColumns } from "../contacts/ContactRow.ts"
import { conditionSql } from "../filters/FilterSql.ts"
import type { Slice } from "../OffsetPages.ts"
import type { Audience } from "./SegmentMemberStore.ts"

/** Contacts, or members, that one step looks at. */
const window = 20_000

/** These contacts; or up to `limit` of those behind `after`, up to and with `until` where that is given. */
export type Among =
  | { readonly contacts: ReadonlyArray<ContactId> }
  | { readonly after: ContactId | undefined; readonly until: ContactId | undefined; readonly limit: number }

/** `few` as in `FilterScope`. */
const holds = (sql: SqlClient.SqlClient, { condition, scope }: Audience, few: boolean) =>
  conditionSql(sql, condition, { ...scope, few })

/** Rows of `contacts` that the condition holds for. */
export const matching = (sql: SqlClient.SqlClient, audience: Audience, few: boolean): Statement.Fragment =>
  sql`contacts.project_id = ${audience.scope.project} and ${holds(sql, audience, few)}`

const membersOf = (sql: SqlClient.SqlClient, project: ProjectId, segment: SegmentId) =>
  sql`project_id = ${project} and segment_id = ${segment}`

const behind = (sql: SqlClient.SqlClient, id: Statement.Fragment, after: ContactId | undefined) =>
  after === undefined ? sql`true` : sql`${id} > ${after}`

/** The id at the end of the next window of contacts; nothing in the last window. */
export const contactWindow = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  after: ContactId | undefined
): Statement.Statement<unknown> => sql`
  select id from contacts where project_id = ${project} and ${behind(sql, sql`id`, after)}
  order by project_id, id offset ${window - 1} limit 1`

/** The same of the members of a segment. */
export const memberWindow = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  segment: SegmentId,
  after: ContactId | undefined
): Statement.Statement<unknown> => sql`
  select contact_id as id from segment_members
  where ${membersOf(sql, project, segment)} and ${behind(sql, sql`contact_id`, after)}
  order by project_id, segment_id, contact_id offset ${window - 1} limit 1`

const isAmong = (sql: SqlClient.SqlClient, id: Statement.Fragment, among: Among) => {
  if ("contacts" in among) return sql`${id} = any(${among.contacts}::uuid[])`
  const upTo = among.until === undefined ? sql`true` : sql`${id} <= ${among.until}`
  return sql`${behind(sql, id, among.after)} and ${upTo}`
}

const limited = (sql: SqlClient.SqlClient, among: Among) => ("limit" in among ? sql`limit ${among.limit}` : sql``)

/** Puts those on record who match and are not. */
export const joining = (
  sql: SqlClient.SqlClient,
  segment: SegmentId,
  audience: Audience,
  among: Among
): Statement.Statement<unknown> => sql`
  insert into segment_members (project_id, segment_id, contact_id)
  select project_id, ${segment}::uuid, id from contacts
  where ${matching(sql, audience, true)} and ${isAmong(sql, sql`contacts.id`, among)} and (
    select true from segment_members as member
    where member.project_id = ${audience.scope.project} and member.segment_id = ${segment}
      and member.contact_id = contacts.id
  ) is null
  order by id ${limited(sql, among)} for key share of contacts skip locked
  on conflict do nothing returning contact_id as id`

/** Strikes those off who are on record and do not match. */
export const leaving = (
  sql: SqlClient.SqlClient,
  segment: SegmentId,
  audience: Audience,
  among: Among
): Statement.Statement<unknown> => {
  const { project } = audience.scope
  return sql`
    with leaving as materialized (
      select contact_id from segment_members
      where ${membersOf(sql, project, segment)} and ${isAmong(sql, sql`contact_id`, among)} and (
        select ${holds(sql, audience, true)} from contacts
        where contacts.project_id = ${project} and contacts.id = contact_id
      ) is not true
      order by contact_id ${limited(sql, among)}
    )
    delete from segment_members
    where ${membersOf(sql, project, segment)} and contact_id = any(array(select contact_id from leaving))
    returning contact_id as id`
}

/** Members that were added by hand, newest first. */
export const addedPage = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  segment: SegmentId,
  { limit, offset }: Slice
): Statement.Statement<unknown> => sql`
  with page as (
    select contact_id, added_at from segment_members
    where ${membersOf(sql, project, segment)} and added_at is not null
    order by added_at desc, contact_id desc limit ${limit} offset ${offset}
  )
  select ${sql.literal(contactColumns)} from page join contacts on project_id = ${project} and id = contact_id
  order by added_at desc, contact_id desc`

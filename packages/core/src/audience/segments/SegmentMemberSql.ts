/**
 * The hot queries of segments: which contacts join, which leave, and a page of manually added members.
 *
 * Contacts are locked `for key share` as they join, which conflicts only with deletion and a change of address. A
 * contact that another transaction is deleting or giving a new address is skipped, because waiting for it could
 * deadlock. It is then deleted, or evaluated again as a whole.
 *
 * A whole segment is processed in windows of ids. Within a window each contact is looked up by key, so the cost of a
 * step does not depend on an estimate. As an anti-join it became quadratic, because the planner knows little of a table
 * that was empty a moment ago: at a million contacts a step took 45 seconds instead of 30 milliseconds.
 *
 * Measured at 1,000,000 contacts in one project: `npm run bench -- --only A4,A5`. Plans: `SegmentMemberPlans.test.ts`.
 */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Slice } from "../../platform/OffsetPages.ts"
import { contactColumns } from "../contacts/ContactRow.ts"
import type { Audience } from "../filters/FilterScope.ts"
import { conditionSql } from "../filters/FilterSql.ts"

/** The number of contacts or members that one step reads. */
const window = 20_000

/** The given contacts, or up to `limit` contacts after `after`, up to and including `until` if it is given. */
export type Among =
  | { readonly contacts: ReadonlyArray<ContactId> }
  | { readonly after: ContactId | undefined; readonly until: ContactId | undefined; readonly limit: number }

/** `few` as in `FilterScope`. */
const holds = (sql: SqlClient.SqlClient, { condition, scope }: Audience, few: boolean) =>
  conditionSql(sql, condition, { ...scope, few })

/** Rows of `contacts` for which the condition holds. */
export const matching = (sql: SqlClient.SqlClient, audience: Audience, few: boolean): Statement.Fragment =>
  sql`contacts.project_id = ${audience.scope.project} and ${holds(sql, audience, few)}`

const membersOf = (sql: SqlClient.SqlClient, project: ProjectId, segment: SegmentId) =>
  sql`project_id = ${project} and segment_id = ${segment}`

const behind = (sql: SqlClient.SqlClient, id: Statement.Fragment, after: ContactId | undefined) =>
  after === undefined ? sql`true` : sql`${id} > ${after}`

/** The id at the end of the next window of contacts. No row in the last window. */
export const contactWindow = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  after: ContactId | undefined
): Statement.Statement<unknown> => sql`
  select id from contacts where project_id = ${project} and ${behind(sql, sql`id`, after)}
  order by project_id, id offset ${window - 1} limit 1`

/** The same for the members of a segment. */
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

/**
 * A part of a `with`: adds the rows of `moved`, a part before it, to the count of the segment, while the count is the
 * number of stored members. So the count changes by the statement that changes the members.
 */
export const counting = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  segment: SegmentId,
  moved: Statement.Fragment,
  sign: 1 | -1
): Statement.Fragment => sql`
  update segments set member_count = member_count + ${sql.literal(String(sign))} * change.count
  from (select count(*)::int as count from ${moved}) as change
  where project_id = ${project} and id = ${segment} and settled and change.count > 0`

/** Stores matching contacts that are not members yet. */
export const joining = (
  sql: SqlClient.SqlClient,
  segment: SegmentId,
  audience: Audience,
  among: Among
): Statement.Statement<unknown> => sql`
  with joined as (
  insert into segment_members (project_id, segment_id, contact_id, joined_at)
  select project_id, ${segment}::uuid, id, ${DateTime.toDate(audience.scope.now)}::timestamptz from contacts
  where ${matching(sql, audience, true)} and ${isAmong(sql, sql`contacts.id`, among)} and (
    select true from segment_members as member
    where member.project_id = ${audience.scope.project} and member.segment_id = ${segment}
      and member.contact_id = contacts.id
  ) is null
  order by id ${limited(sql, among)} for key share of contacts skip locked
  on conflict do nothing returning contact_id as id
  ),
  counted as (${counting(sql, audience.scope.project, segment, sql`joined`, 1)})
  select id from joined`

/** Removes stored members that do not match. */
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
    ),
    gone as (
      delete from segment_members
      where ${membersOf(sql, project, segment)} and contact_id = any(array(select contact_id from leaving))
      returning contact_id as id
    ),
    counted as (${counting(sql, project, segment, sql`gone`, -1)})
    select id from gone`
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

/**
 * The list of mails: one page, and the total number.
 *
 * A page continues where the last one ended, in the order of an index. A filter by status is split into groups, each with
 * a partial index: queued mail, and each status of mail that did not arrive. The statuses of delivered mail have none,
 * because most of the newest mails have them. The statuses are literals, because the planner uses no partial index for a
 * parameter.
 *
 * `EmailListSql.test.ts` checks the plans.
 */

import type { EmailQuery, EmailStatus } from "@posthorn/contract/mail/emails/Email"
import { type TagFilter, tagFilters } from "@posthorn/contract/mail/emails/Tags"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Position } from "../../platform/Cursors.ts"
import type { DateRange } from "../../platform/DateRange.ts"
import { rowCounts } from "../../platform/RowCounts.ts"

export type EmailFilter = Pick<
  EmailQuery,
  | "mode"
  | "status"
  | "sourceType"
  | "contactId"
  | "campaignId"
  | "workflowId"
  | "templateId"
  | "groupId"
  | "to"
  | "tag"
  | "sort"
> &
  DateRange

type Tags = Array.NonEmptyReadonlyArray<TagFilter>

/** Whether the list is sorted by the time of sending. Only scheduled mail has one to come. */
export const isByTime = ({ sort, status }: EmailFilter): boolean =>
  sort === "scheduledFor" && status?.length === 1 && status[0] === "SCHEDULED"

interface Group {
  readonly statuses: ReadonlyArray<EmailStatus>
  readonly also?: string
}

const groups: ReadonlyArray<Group> = [
  ...[0, 1, 2].map((lane): Group => ({ statuses: ["PENDING"], also: `lane = ${lane}` })),
  { statuses: ["SCHEDULED"] },
  { statuses: ["SENDING"] },
  { statuses: ["SENT", "DELIVERED", "OPENED", "CLICKED"] },
  ...(["BOUNCED", "COMPLAINED", "FAILED", "SUPPRESSED", "CANCELLED", "AMBIGUOUS"] as const).map(
    (status): Group => ({ statuses: [status] })
  )
]

const conditionOf = ({ statuses, also }: Group, wanted: ReadonlyArray<EmailStatus>): string | undefined => {
  const [one, ...more] = statuses.filter((status) => wanted.includes(status)).map((status) => `'${status}'`)
  if (one === undefined) return undefined
  const state = more.length === 0 ? `status = ${one}` : `status in (${[one, ...more].join(", ")})`
  return also === undefined ? state : `${state} and ${also}`
}

export const emailListSql = (sql: SqlClient.SqlClient) => {
  /** Literals, because the planner uses no partial index for a parameter. */
  const ofMode = { LIVE: [sql.literal("mode = 'LIVE'")], TEST: [sql.literal("mode = 'TEST'")], ALL: [] }

  const matching = (project: ProjectId, filter: EmailFilter) => [
    sql`project_id = ${project}`,
    ...ofMode[filter.mode ?? "LIVE"],
    ...(filter.sourceType ? [sql`source_type = ${filter.sourceType}`] : []),
    ...(filter.contactId ? [sql`contact_id = ${filter.contactId}::uuid`] : []),
    ...(filter.campaignId ? [sql`campaign_id = ${filter.campaignId}::uuid`] : []),
    ...(filter.workflowId ? [sql`workflow_id = ${filter.workflowId}::uuid`] : []),
    ...(filter.templateId ? [sql`template_id = ${filter.templateId}::uuid`] : []),
    ...(filter.groupId ? [sql`group_id = ${filter.groupId}::uuid`] : []),
    ...(filter.to ? [sql`to_email = ${filter.to}`] : []),
    ...(filter.from ? [sql`created_at >= ${DateTime.toDate(filter.from)}`] : []),
    ...(filter.until ? [sql`created_at < ${DateTime.toDate(filter.until)}`] : [])
  ]

  const behind = ({ key, id }: Position) => sql`(created_at, id) < (${key}::timestamptz, ${id}::uuid)`

  const ordered = sql`order by created_at desc, id desc`

  const hasTag = ({ key, value }: TagFilter) =>
    value === undefined ? sql`jsonb_exists(tags, ${key})` : sql`tags ->> ${key} = ${value}`

  /** Scheduled mail, the next one first. */
  const upcoming = (columns: string, project: ProjectId, filter: EmailFilter, limit: number, after?: Position) => {
    const behindTime = after && sql`(scheduled_for, id) > (${after.key}::timestamptz, ${after.id}::uuid)`
    const wanted = [
      ...matching(project, filter),
      sql`status = 'SCHEDULED'`,
      ...tagFilters(filter.tag).map(hasTag),
      ...(behindTime ? [behindTime] : [])
    ]
    return sql`
      select ${sql.literal(columns)} from emails where ${sql.and(wanted)} order by scheduled_for, id limit ${limit}`
  }

  const states = ({ status }: EmailFilter) => (status ? [sql`status in ${sql.in(status)}`] : [])

  /**
   * Emails with the first tag, as a range of an index of `email_tags`; further filters are applied to each of them. The
   * limit shows the planner that each tag has its email, so that it reads the range in the order of the list.
   */
  const tagged = (project: ProjectId, filter: EmailFilter, [first, ...more]: Tags, after?: Position) => {
    const { from, until } = filter
    const range = [
      sql`project_id = ${project} and key = ${first.key}`,
      ...(first.value === undefined ? [] : [sql`value = ${first.value}`]),
      ...(from ? [sql`created_at >= ${DateTime.toDate(from)}`] : []),
      ...(until ? [sql`created_at < ${DateTime.toDate(until)}`] : []),
      ...(after ? [sql`(created_at, email_id) < (${after.key}::timestamptz, ${after.id}::uuid)`] : [])
    ]
    return sql`
      from (select email_id, created_at as tagged_at from email_tags where ${sql.and(range)}) as tag
      cross join lateral (
        select * from emails
        where id = tag.email_id and ${sql.and([...matching(project, filter), ...states(filter), ...more.map(hasTag)])}
        limit 1
      ) as emails`
  }

  /** Newest first. */
  const page = (columns: string, project: ProjectId, filter: EmailFilter, limit: number, after?: Position) => {
    if (isByTime(filter)) return upcoming(columns, project, filter, limit, after)
    const tags = tagFilters(filter.tag)
    if (Array.isReadonlyArrayNonEmpty(tags)) {
      return sql`
        select ${sql.literal(columns)} ${tagged(project, filter, tags, after)}
        order by tagged_at desc, email_id desc limit ${limit}`
    }
    const shared = [...matching(project, filter), ...(after ? [behind(after)] : [])]
    const wanted = filter.status
    if (wanted === undefined) {
      return sql`select ${sql.literal(columns)} from emails where ${sql.and(shared)} ${ordered} limit ${limit}`
    }
    const parts = groups.flatMap((group) => {
      const condition = conditionOf(group, wanted)
      if (condition === undefined) return []
      return [
        sql`(select * from emails where ${sql.and([...shared, sql.literal(condition)])} ${ordered} limit ${limit})`
      ]
    })
    return sql`
      select ${sql.literal(columns)} from (${sql.join(" union all ", false)(parts)}) as emails ${ordered} limit ${limit}`
  }

  /** One row. The counts by status and source are stored; with any other filter, the mails are counted. */
  const count = (project: ProjectId, filter: EmailFilter): Statement.Statement<unknown> => {
    const tags = tagFilters(filter.tag)
    if (Array.isReadonlyArrayNonEmpty(tags)) return sql`select count(*)::int as count ${tagged(project, filter, tags)}`
    const { mode = "LIVE", status, sourceType, sort: _, ...others } = filter
    if (Object.values(others).every((value) => value === undefined)) {
      return sql`
        select coalesce(sum(count), 0)::int as count from ${rowCounts(sql, project, "emails")} as stored
        where ${sql.and([
          ...(mode === "LIVE" ? [sql`key[1] not like 'TEST %'`] : []),
          ...(mode === "TEST" ? [sql`key[1] like 'TEST %'`] : []),
          ...(status ? [sql`replace(key[1], 'TEST ', '') = any(${status}::text[])`] : []),
          ...(sourceType ? [sql`key[2] = ${sourceType}`] : [])
        ])}`
    }
    return sql`
      select count(*)::int as count from emails
      where ${sql.and([...matching(project, filter), ...states(filter)])}`
  }

  return { page, count }
}

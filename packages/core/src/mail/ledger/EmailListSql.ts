/**
 * The list of mails: one page, and how many there are in all.
 *
 * A page walks an index in its order from where the last one ended, whatever it asks for. States are asked for in groups,
 * each with an index that has its mails together: the few that wait, the few that ended badly. Only what most mails are
 * in has none, as the newest mails are in it. A group stands in the text, because a parameter would keep the planner from
 * the partial indexes.
 *
 * Plans: `EmailPlans.test.ts`.
 */

import type { EmailQuery, EmailStatus } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Position } from "../../platform/Cursors.ts"
import type { DateRange } from "../../platform/DateRange.ts"
import { rowCounts } from "../../platform/RowCounts.ts"

export type EmailFilter = Pick<
  EmailQuery,
  "status" | "sourceType" | "contactId" | "campaignId" | "workflowId" | "templateId" | "to"
> &
  DateRange

interface Group {
  readonly statuses: ReadonlyArray<EmailStatus>
  readonly also?: string
}

const groups: ReadonlyArray<Group> = [
  ...[0, 1, 2].map((lane): Group => ({ statuses: ["PENDING"], also: `lane = ${lane}` })),
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
  const matching = (project: ProjectId, filter: EmailFilter) => [
    sql`project_id = ${project}`,
    ...(filter.sourceType ? [sql`source_type = ${filter.sourceType}`] : []),
    ...(filter.contactId ? [sql`contact_id = ${filter.contactId}::uuid`] : []),
    ...(filter.campaignId ? [sql`campaign_id = ${filter.campaignId}::uuid`] : []),
    ...(filter.workflowId ? [sql`workflow_id = ${filter.workflowId}::uuid`] : []),
    ...(filter.templateId ? [sql`template_id = ${filter.templateId}::uuid`] : []),
    ...(filter.to ? [sql`to_email = ${filter.to}`] : []),
    ...(filter.from ? [sql`created_at >= ${DateTime.toDate(filter.from)}`] : []),
    ...(filter.until ? [sql`created_at < ${DateTime.toDate(filter.until)}`] : [])
  ]

  const behind = ({ key, id }: Position) => sql`(created_at, id) < (${key}::timestamptz, ${id}::uuid)`

  const ordered = sql`order by created_at desc, id desc`

  /** Newest first. */
  const page = (columns: string, project: ProjectId, filter: EmailFilter, limit: number, after?: Position) => {
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

  /** One row. By state and source it is kept, by anything else it is counted. */
  const count = (project: ProjectId, filter: EmailFilter): Statement.Statement<unknown> => {
    const { status, sourceType, ...others } = filter
    if (Object.values(others).every((value) => value === undefined)) {
      return sql`
        select coalesce(sum(count), 0)::int as count from ${rowCounts(sql, project, "emails")} as kept
        where ${sql.and([
          ...(status ? [sql`key[1] = any(${status}::text[])`] : []),
          ...(sourceType ? [sql`key[2] = ${sourceType}`] : [])
        ])}`
    }
    return sql`
      select count(*)::int as count from emails
      where ${sql.and([...matching(project, filter), ...(status ? [sql`status in ${sql.in(status)}`] : [])])}`
  }

  return { page, count }
}

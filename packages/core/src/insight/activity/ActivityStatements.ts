/**
 * The statements of the activity feed.
 *
 * One statement returns a page. It reads as many entries as a page holds from each source and merges them, and only the
 * remaining entries are read in full. So a page costs the same at any age of the project and at any position in the
 * feed. Another statement counts without reading mail rows, because the indexes contain everything it needs.
 */

import type { ActivityType } from "@posthorn/contract/insight/activity/Activity"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Position } from "../../platform/Cursors.ts"
import type { TimeWindow } from "../../platform/TimeWindows.ts"
import { metadata } from "./ActivityMetadata.ts"
import { newestRows, type Source, sourcesOf } from "./ActivitySources.ts"

export interface ActivityFilter extends TimeWindow {
  /** All types if absent. */
  readonly types?: ReadonlyArray<ActivityType> | undefined
  readonly contact?: string | undefined
}

/** The id of an entry: the id of the mail, campaign or execution with a suffix, or the id of the event alone. */
const placeOf = ({ key, id }: Position) => {
  const [own = "", suffix = ""] = id.split("_")
  return { at: key, own, suffix }
}

/** `page` and `count` return undefined if the filter matches no source. */
export const feedStatements = (sql: SqlClient.SqlClient) => {
  /** The mail of a contact is read once for all types. */
  const contactMail = (project: ProjectId, { contact }: ActivityFilter) =>
    contact === undefined
      ? sql``
      : sql`
          of_contact as materialized (
            select * from emails where project_id = ${project} and contact_id = ${contact}::uuid
          ),`

  const wanted = (project: ProjectId, { types, contact }: ActivityFilter) =>
    sourcesOf(sql, project).filter(
      ({ type, isAboutContact }) => (types?.includes(type) ?? true) && (contact === undefined || isAboutContact)
    )

  const rowsOf = ({ table, at, rows }: Source, { contact, from, until }: ActivityFilter) => {
    const conditions = [
      rows,
      sql`${sql(at)} >= ${DateTime.toDate(from)}`,
      sql`${sql(at)} < ${DateTime.toDate(until)}`,
      ...(contact === undefined ? [] : [sql`contact_id = ${contact}::uuid`])
    ]
    const read = contact !== undefined && table === "emails" ? sql`of_contact as emails` : sql`${sql(table)}`
    return { read, conditions }
  }

  /** Entries with the same time are ordered by id, descending, and entries with the same id by suffix, descending. */
  const isAfter = ({ at, suffix }: Source, after: Position) => {
    const place = placeOf(after)
    const position = sql`(${place.at}::timestamptz, ${place.own}::uuid)`
    return suffix < place.suffix ? sql`(${sql(at)}, id) <= ${position}` : sql`(${sql(at)}, id) < ${position}`
  }

  /** The newest rows of a source, as the columns of its table. */
  const newest = (source: Source, filter: ActivityFilter, limit: number, after?: Position) => {
    const { read, conditions } = rowsOf(source, filter)
    return newestRows(sql, source, [...conditions, ...(after ? [isAfter(source, after)] : [])], limit, read)
  }

  const union = sql.join(" union all ", false)

  /** Newest first. */
  const page = (
    project: ProjectId,
    filter: ActivityFilter,
    limit: number,
    after?: Position
  ): Statement.Statement<unknown> | undefined => {
    const branches = wanted(project, filter).map((source) => {
      const at = sql(source.at)
      return sql`
        (select ${source.type}::text as type, ${source.kind}::text as kind, ${source.suffix}::text collate "C" as suffix,
                ${at} as at, id
         from ${newest(source, filter, limit, after)})`
    })
    if (!Array.isReadonlyArrayNonEmpty(branches)) return undefined
    /** Looks up each entry by key. The limit keeps the planner from scanning the table, even with wrong statistics. */
    const found = (table: string, name: string, id: Statement.Fragment) => sql`
      left join lateral (
        select * from ${sql(table)} as one where one.project_id = ${project} and one.id = ${id} limit 1
      ) as ${sql(name)} on true`
    return sql`
          with ${contactMail(project, filter)}
          page as materialized (
            select * from (${union(branches)}) as merged order by at desc, id desc, suffix desc limit ${limit}
          )
          select page.id || case when page.suffix = '' then '' else '_' || page.suffix end as id, page.type,
                 page.at as timestamp, contacts.id as "contactId", contacts.email as "contactEmail",
                 ${sql.literal(metadata)} as metadata
          from page
          ${found("emails", "emails", sql`case page.kind when 'mail' then page.id end`)}
          ${found("events", "events", sql`case page.kind when 'event' then page.id end`)}
          ${found("workflow_executions", "executions", sql`case page.kind when 'execution' then page.id end`)}
          ${found("campaigns", "campaigns", sql`case page.kind when 'campaign' then page.id else emails.campaign_id end`)}
          ${found("segments", "segments", sql`case page.kind when 'campaign' then campaigns.segment_id end`)}
          ${found("workflows", "workflows", sql`coalesce(emails.workflow_id, executions.workflow_id)`)}
          ${found("contacts", "contacts", sql`coalesce(emails.contact_id, events.contact_id, executions.contact_id)`)}
          order by page.at desc, page.id desc, page.suffix desc`
  }

  /** One row. */
  const count = (
    project: ProjectId,
    filter: ActivityFilter,
    most: number
  ): Statement.Statement<unknown> | undefined => {
    // Reads in index order. Otherwise the planner would read the tables of all projects.
    const branches = wanted(project, filter).map((source) => sql`(select 1 from ${newest(source, filter, most)})`)
    if (!Array.isReadonlyArrayNonEmpty(branches)) return undefined
    return sql`
          with ${contactMail(project, filter)}
          found as (select 1 from (${union(branches)}) as merged limit ${most})
          select count(*)::int as count from found`
  }

  /** One row for each type that occurs. */
  const present = (project: ProjectId, window: TimeWindow): Statement.Statement<unknown> => {
    const branches = wanted(project, window).map(
      (source) => sql`(select ${source.type}::text as type from ${newest(source, window, 1)})`
    )
    return sql`${union(branches)}`
  }

  return { page, count, present }
}

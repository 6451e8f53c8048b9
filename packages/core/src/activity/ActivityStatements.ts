/**
 * The statements of the activity feed.
 *
 * One gives a page: as many entries as it holds from each source, merged, and only what is left is looked up in full. So
 * a page costs the same whatever the project's age, and wherever in the feed it is. The other counts without reading a
 * mail, as what it must know is in the indexes.
 */
import type { ProjectId } from "@posthorn/contract/Auth"
import { Array, DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Position } from "../Cursors.ts"
import type { Window } from "../Windows.ts"
import type { ActivityFilter } from "./ActivityFeed.ts"
import { metadata } from "./ActivityMetadata.ts"
import { type Source, sourcesOf } from "./ActivitySources.ts"

/** The id of an entry: of the mail, campaign or execution with what it did, or of the event alone. */
const placeOf = ({ key, id }: Position) => {
  const [own = "", what = ""] = id.split("_")
  return { at: key, own, what }
}

/** None of them where nothing is asked for. */
export const feedStatements = (sql: SqlClient.SqlClient) => {
  /** A contact's mail is read once, whatever is asked of it. */
  const preparing = (project: ProjectId, { contact }: ActivityFilter) =>
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

  /** Of one moment the higher id comes first, and of one id what is later in the alphabet. */
  const behind = ({ at, what }: Source, after: Position) => {
    const place = placeOf(after)
    const position = sql`(${place.at}::timestamptz, ${place.own}::uuid)`
    return what < place.what ? sql`(${sql(at)}, id) <= ${position}` : sql`(${sql(at)}, id) < ${position}`
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
      const { read, conditions } = rowsOf(source, filter)
      const at = sql(source.at)
      return sql`
        (select ${source.type}::text as type, ${source.kind}::text as kind, ${source.what}::text collate "C" as what,
                ${at} as at, id
         from ${read} where ${sql.and([...conditions, ...(after ? [behind(source, after)] : [])])}
         order by ${at} desc, id desc limit ${limit})`
    })
    if (!Array.isReadonlyArrayNonEmpty(branches)) return undefined
    /** By its key, entry by entry, however many the planner takes the table for: a limit lets it do nothing else. */
    const found = (table: string, name: string, id: Statement.Fragment) => sql`
      left join lateral (
        select * from ${sql(table)} as one where one.project_id = ${project} and one.id = ${id} limit 1
      ) as ${sql(name)} on true`
    return sql`
          with ${preparing(project, filter)}
          page as materialized (
            select * from (${union(branches)}) as merged order by at desc, id desc, what desc limit ${limit}
          )
          select page.id || case when page.what = '' then '' else '_' || page.what end as id, page.type,
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
          order by page.at desc, page.id desc, page.what desc`
  }

  /** One row. */
  const count = (
    project: ProjectId,
    filter: ActivityFilter,
    most: number
  ): Statement.Statement<unknown> | undefined => {
    const branches = wanted(project, filter).map((source) => {
      const { read, conditions } = rowsOf(source, filter)
      // In the order of its index: the planner would rather read the tables of all projects.
      return sql`(select 1 from ${read} where ${sql.and(conditions)} order by ${sql(source.at)} desc limit ${most})`
    })
    if (!Array.isReadonlyArrayNonEmpty(branches)) return undefined
    return sql`
          with ${preparing(project, filter)}
          found as (select 1 from (${union(branches)}) as merged limit ${most})
          select count(*)::int as count from found`
  }

  /** A row for each type that there is. */
  const present = (project: ProjectId, window: Window): Statement.Statement<unknown> => {
    const branches = wanted(project, window).map((source) => {
      const { read, conditions } = rowsOf(source, window)
      return sql`(select ${source.type}::text as type from ${read} where ${sql.and(conditions)}
         order by ${sql(source.at)} desc limit 1)`
    })
    return sql`${union(branches)}`
  }

  return { page, count, present }
}

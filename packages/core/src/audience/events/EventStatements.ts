/**
 * The statements that read events.
 *
 * Indexes by time exist for tracked events, for one contact and for one name. Other queries run once for each name, and
 * the results are merged. Events of a name are in the order in which they happened, others in the order in which they
 * were recorded.
 */

import type { Event, EventSource } from "@posthorn/contract/audience/events/Event"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { knownNames } from "../../events/KnownNames.ts"
import { isVisible, visibleFrom } from "../../events/Retracted.ts"
import type { Position } from "../../platform/Cursors.ts"
import type { DateRange } from "../../platform/DateRange.ts"
import { rowCounts } from "../../platform/RowCounts.ts"

export interface EventFilter extends Partial<DateRange> {
  readonly name?: string | undefined
  readonly contact?: string | undefined
  /** Events of both sources if absent. */
  readonly source?: EventSource | undefined
}

/** Whether the filter reads events name by name. */
const isByName = ({ name, contact, source }: EventFilter) =>
  contact === undefined && (name !== undefined || source !== "tracked")

const timeOf = (sql: SqlClient.SqlClient, filter: EventFilter): Statement.Fragment =>
  isByName(filter) ? sql`events.occurred_at` : sql`events.created_at`

/** The position of an event in a list. */
export const positionIn =
  (filter: EventFilter) =>
  ({ id, createdAt, occurredAt }: Event): Position => ({
    key: DateTime.formatIso(isByName(filter) ? occurredAt : createdAt),
    id
  })

export const eventStatements = (sql: SqlClient.SqlClient, project: ProjectId) => {
  const within = (filter: EventFilter) => {
    const { from, until } = filter
    const at = timeOf(sql, filter)
    return [
      ...(from === undefined ? [] : [sql`${at} >= ${DateTime.toDate(from)}`]),
      ...(until === undefined ? [] : [sql`${at} < ${DateTime.toDate(until)}`])
    ]
  }

  const matching = (filter: EventFilter) => {
    const { name, contact, source } = filter
    return sql.and([
      sql`events.project_id = ${project}`,
      ...(name === undefined ? [] : [sql`events.name = ${name}`]),
      ...(contact === undefined ? [] : [sql`events.contact_id = ${contact}::uuid`]),
      ...(source === undefined ? [] : [sql`events.source = ${source}`]),
      ...within(filter),
      isVisible(sql)
    ])
  }

  const isByKnownName = ({ name, contact, source }: EventFilter) =>
    name === undefined && contact === undefined && source !== "tracked"

  const known = (source: EventSource | undefined) => sql`
    (select name from (${knownNames(sql, project)}) as walked
     where ${source === undefined ? sql`true` : sql`source = ${source}`}) as known`

  const ofKnown = (filter: EventFilter) =>
    sql.and([
      sql`events.project_id = ${project} and events.name = known.name`,
      sql`events.created_at >= ${visibleFrom(sql, project, sql`known.name`)}`,
      ...within(filter)
    ])

  /**
   * The visible rows of one name or source, or of all: the stored rows without those that are deleted but not yet
   * removed.
   */
  const kept = ({ name, source }: EventFilter) => {
    const wanted = (nameColumn: string, sourceColumn: string) =>
      sql.and([
        ...(name === undefined ? [] : [sql`${sql.literal(nameColumn)} = ${name}`]),
        ...(source === undefined ? [] : [sql`${sql.literal(sourceColumn)} = ${source}`])
      ])
    return sql`
      select coalesce(sum(count), 0)::int as count from (
        select count from ${rowCounts(sql, project, "events")} as kept where ${wanted("key[2]", "key[1]")}
        union all
        select -gone.n from event_retractions as retraction cross join lateral (
          select count(*) as n from events
          where events.project_id = ${project} and events.name = retraction.name
            and events.created_at < retraction.before and ${wanted("events.name", "events.source")}
        ) as gone
        where retraction.project_id = ${project}
      ) as counted`
  }

  const count = (filter: EventFilter) => {
    const { contact, from, until } = filter
    if (contact === undefined && from === undefined && until === undefined) return kept(filter)
    return isByKnownName(filter)
      ? sql`
          select coalesce(sum(n), 0)::int as count from ${known(filter.source)} cross join lateral (
            select count(*) as n from events where ${ofKnown(filter)}) as each`
      : sql`select count(*)::int as count from events where ${matching(filter)}`
  }

  const newest = (filter: EventFilter, limit: number, after?: Position) => {
    const at = timeOf(sql, filter)
    const behind = after && sql`(${at}, events.id) < (${after.key}::timestamptz, ${after.id}::uuid)`
    const slice = (condition: Statement.Fragment) => sql`
      select events.*, ${at} as at from events where ${sql.and([condition, ...(behind ? [behind] : [])])}
      order by ${at} desc, events.id desc limit ${limit}`
    return isByKnownName(filter)
      ? sql`
          select each.* from ${known(filter.source)} cross join lateral (${slice(ofKnown(filter))}) as each
          order by each.at desc, each.id desc limit ${limit}`
      : slice(matching(filter))
  }

  /** Linear in the events of the window. Reads no row of the table: distinct contacts are counted in the index. */
  const stats = (filter: EventFilter, limit: number) => sql`
    select known.name, counted.* from ${known(filter.source)} cross join lateral (
      select sum(n)::int as count, count(contact_id)::int as "uniqueContacts", max(last) as "lastSeenAt"
      from (
        select contact_id, count(*) as n, max(occurred_at) as last from events
        where ${ofKnown(filter)} group by contact_id
      ) as contacts
    ) as counted
    where counted.count > 0 order by counted.count desc, known.name limit ${limit}`

  /** In the order of the number of stored events. */
  const names = (
    { search, source }: { readonly search?: string | undefined; readonly source?: EventSource | undefined },
    limit: number
  ) => sql`
    select known.name from ${known(source)}
    left join (select key[2] as name, sum(count) as count from ${rowCounts(sql, project, "events")} as kept group by 1)
      as kept on kept.name = known.name
    where ${search ? sql`strpos(lower(known.name), lower(${search}::text)) > 0` : sql`true`}
    order by kept.count desc nulls last, known.name limit ${limit}`

  /** Linear in the events of the name, as `stats`. */
  const totals = (name: string) => sql`
    select coalesce(sum(n), 0)::int as "totalCount", count(contact_id)::int as "uniqueContacts"
    from (select contact_id, count(*) as n from events where ${matching({ name })} group by contact_id) as contacts`

  return { count, newest, stats, names, totals }
}

/**
 * Marks of what conditions look at, so that a count is taken once for each state of the data and not each time somebody
 * asks. A mark is a text. Two equal marks of a project mean that no contact, topic or event was added, changed or
 * removed in between.
 *
 * A mark is read from the ends of indexes and from kept totals, so it costs the same for any number of contacts. A
 * transaction that is still open can commit a change older than the newest one, which leaves the mark as it is. So a
 * mark is not relied on until the newest change is a minute old, and a count is taken again after a day.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Duration, Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { eventName } from "../../events/ChangeNotes.ts"
import { rowCounts } from "../../platform/RowCounts.ts"

export interface ChangeMarks {
  /** Of contacts and topics. */
  readonly contacts: string
  readonly events: string
  /** False while a transaction of the last minute may still be open. */
  readonly isSettled: boolean
}

/** How old the newest change must be. */
const settling = Duration.minutes(1)

/**
 * A sub-select with one row: `contacts`, `events`, and `changed_at`, the time of the newest change or null. `project` is
 * an id or a column.
 */
export const marksSql = (sql: SqlClient.SqlClient, project: ProjectId | Statement.Fragment): Statement.Fragment => {
  const of = sql`project_id = ${project}`
  return sql`(
    select concat_ws('/', tallies.last, tallies.contacts, tallies.subscribed, extract(epoch from contact.updated_at),
                     topics.count) as contacts,
           concat_ws('/', first.id, last.id, counted.count) as events,
           greatest(contact.updated_at, last.created_at) as changed_at
    from (select max(id) as last, sum(contacts) as contacts, sum(subscribed) as subscribed
          from contact_tallies where ${of}) as tallies
    cross join (select count(*) as count from topics where ${of}) as topics
    cross join (select sum(count) as count from ${rowCounts(sql, project, "events")} as kept) as counted
    left join lateral (
      select updated_at from contacts where ${of} order by project_id desc, updated_at desc, id desc limit 1
    ) as contact on true
    left join lateral (select id from events where ${of} order by project_id, id limit 1) as first on true
    left join lateral (
      select id, created_at from events where ${of} order by project_id desc, id desc limit 1
    ) as last on true
  )`
}

const Row = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ contacts: Schema.String, events: Schema.String, isSettled: Schema.Boolean })])
)

/** A change in the future comes from a clock that was ahead. */
export const isSettledSql = (sql: SqlClient.SqlClient, changedAt: Statement.Fragment, now: DateTime.Utc) =>
  sql`coalesce(${changedAt} < ${DateTime.toDate(DateTime.subtractDuration(now, settling))}::timestamptz, true)`

export const marksOf = (sql: SqlClient.SqlClient, project: ProjectId, now: DateTime.Utc): Effect.Effect<ChangeMarks> =>
  sql`
    select contacts, events, ${isSettledSql(sql, sql`changed_at`, now)} as "isSettled"
    from ${marksSql(sql, project)} as marks`.pipe(
    Effect.flatMap(Row),
    Effect.map(([marks]) => marks),
    Effect.orDie
  )

/** The mark of a segment that reacts to these names. Null if a count must not be relied on. */
export const markFor = (
  { contacts, events, isSettled }: ChangeMarks,
  reactsTo: ReadonlyArray<string>
): string | null => {
  if (!isSettled) return null
  return reactsTo.some((name) => name.startsWith(eventName(""))) ? `${contacts} ${events}` : contacts
}

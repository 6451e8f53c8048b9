/** Tests of a contact's history, over `events`. */
import type { HistoryTest, Span } from "@posthorn/contract/audience/filters/Condition"
import type { SqlClient, Statement } from "effect/sql"
import { visibleFrom } from "../../events/Retracted.ts"
import type { FilterScope } from "./FilterScope.ts"
import { eventDataSql } from "./JsonSql.ts"
import { ago } from "./Periods.ts"
import { isOfService } from "./ServiceEvents.ts"
import { timestamp } from "./Timestamps.ts"

/** The parts of a statement over the events that a test looks at. */
const eventsOf = (
  sql: SqlClient.SqlClient,
  { event, where }: HistoryTest,
  { project, now, few: _, ...known }: FilterScope
) => {
  const tests = [
    ...(isOfService(event, known) ? [sql`event.source = 'system'`] : []),
    ...where.map((test) => eventDataSql(sql, test, now.epochMilliseconds))
  ]
  /**
   * The project is a parameter, not a join, so that the planner can also find all contacts with such events at once.
   */
  return (span?: Span) => sql`
    from events as event
    where event.project_id = ${project} and event.name = ${event} and event.created_at >= ${visibleFrom(sql, project, event)}
      ${span ? sql`and event.occurred_at >= ${timestamp(ago(span, now.epochMilliseconds))}::timestamptz` : sql``}
      ${tests.length > 0 ? sql`and ${sql.and(tests)}` : sql``}`
}

const isRightCount = (sql: SqlClient.SqlClient, { count, atMost }: { count: number; atMost?: number }) =>
  atMost === undefined ? sql`count(*) >= ${count}` : sql`count(*) between ${count} and ${atMost}`

/** The contacts with the right number of such events, from the events alone. Undefined for other tests. */
export const eventContactsSql = (
  sql: SqlClient.SqlClient,
  test: HistoryTest,
  scope: FilterScope
): Statement.Fragment | undefined => {
  const { match } = test
  if (match._tag !== "AtLeast" || match.count < 1) return undefined
  const named = sql`select event.contact_id ${eventsOf(sql, test, scope)(match.span)} and event.contact_id is not null`
  return match.count === 1 && match.atMost === undefined
    ? sql`select distinct contact_id from (${named}) as event`
    : sql`select contact_id from (${named}) as event group by contact_id having ${isRightCount(sql, match)}`
}

export const historySql = (sql: SqlClient.SqlClient, test: HistoryTest, scope: FilterScope): Statement.Fragment => {
  const { match } = test
  const named = eventsOf(sql, test, scope)
  const own = (span?: Span) => sql`select ${named(span)} and event.contact_id = contacts.id`

  switch (match._tag) {
    case "AtLeast": {
      const { count, atMost, span } = match
      if (count === 1 && atMost === undefined) return sql`exists (${own(span)})`
      // One more than is allowed is enough to know.
      const enough = atMost === undefined ? count : atMost + 1
      const isRight = isRightCount(sql, match)
      return scope.few
        ? sql`(select ${isRight} from (${own(span)} limit ${enough}) as counted)`
        : sql`contacts.id in (
            select event.contact_id ${named(span)} and event.contact_id is not null
            group by event.contact_id having ${isRight})`
    }
    case "Never":
      return sql`not exists (${own(match.span)})`
    case "Lapsed":
      return sql`(exists (${own()}) and not exists (${own(match.span)}))`
  }
}

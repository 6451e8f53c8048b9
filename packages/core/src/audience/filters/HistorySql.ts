/** Tests of a contact's history, over `events`. */
import type { HistoryTest, Span } from "@posthorn/contract/audience/filters/Condition"
import type { SqlClient, Statement } from "effect/sql"
import { visibleFrom } from "../../events/Retracted.ts"
import type { FilterScope } from "./FilterScope.ts"
import { eventDataSql } from "./JsonSql.ts"
import { ago } from "./Periods.ts"
import { isOfService } from "./ServiceEvents.ts"
import { timestamp } from "./Timestamps.ts"

export const historySql = (
  sql: SqlClient.SqlClient,
  { event, where, match }: HistoryTest,
  { project, now, few = false, ...known }: FilterScope
): Statement.Fragment => {
  const tests = [
    ...(isOfService(event, known) ? [sql`event.source = 'system'`] : []),
    ...where.map((test) => eventDataSql(sql, test, now.epochMilliseconds))
  ]
  /**
   * The project is a parameter, not a join, so that the planner can also find all contacts with such events at once.
   */
  const named = (span?: Span) => sql`
    from events as event
    where event.project_id = ${project} and event.name = ${event} and event.created_at >= ${visibleFrom(sql, project, event)}
      ${span ? sql`and event.occurred_at >= ${timestamp(ago(span, now.epochMilliseconds))}::timestamptz` : sql``}
      ${tests.length > 0 ? sql`and ${sql.and(tests)}` : sql``}`
  const own = (span?: Span) => sql`select ${named(span)} and event.contact_id = contacts.id`

  switch (match._tag) {
    case "AtLeast": {
      const { count, atMost, span } = match
      if (count === 1 && atMost === undefined) return sql`exists (${own(span)})`
      // One more than is allowed is enough to know.
      const enough = atMost === undefined ? count : atMost + 1
      const isRight = atMost === undefined ? sql`count(*) >= ${count}` : sql`count(*) between ${count} and ${atMost}`
      return few
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

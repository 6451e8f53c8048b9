/** Tests of a contact's history, over `events`. */
import type { HistoryTest, Span } from "@posthorn/contract/audience/filters/Condition"
import type { SqlClient, Statement } from "effect/sql"
import { visibleFrom } from "../../events/Retracted.ts"
import type { FilterScope } from "./FilterScope.ts"
import { ago } from "./Periods.ts"
import { timestamp } from "./Timestamps.ts"

export const historySql = (
  sql: SqlClient.SqlClient,
  { event, match }: HistoryTest,
  { project, now, few = false }: FilterScope
): Statement.Fragment => {
  /**
   * The project is a parameter, not a join, so that the planner can also find all contacts with such events at once.
   */
  const named = (span?: Span) => sql`
    from events as event
    where event.project_id = ${project} and event.name = ${event} and event.created_at >= ${visibleFrom(sql, project, event)}
      ${span ? sql`and event.created_at >= ${timestamp(ago(span, now.epochMilliseconds))}::timestamptz` : sql``}`
  const own = (span?: Span) => sql`select ${named(span)} and event.contact_id = contacts.id`

  switch (match._tag) {
    case "AtLeast":
      if (match.count === 1) return sql`exists (${own(match.span)})`
      return few
        ? sql`(select count(*) from (${own(match.span)} limit ${match.count}) as counted) >= ${match.count}`
        : sql`contacts.id in (
            select event.contact_id ${named(match.span)} and event.contact_id is not null
            group by event.contact_id having count(*) >= ${match.count})`
    case "Never":
      return sql`not exists (${own(match.span)})`
    case "Lapsed":
      return sql`(exists (${own()}) and not exists (${own(match.span)}))`
  }
}

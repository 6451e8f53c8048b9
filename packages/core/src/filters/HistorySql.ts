/** Tests of what a contact did, over `events` (contract 16.4). */
import type { HistoryTest, Span } from "@posthorn/contract/filters/Condition"
import type { SqlClient, Statement } from "effect/sql"
import type { FilterScope } from "./FilterScope.ts"
import { ago } from "./Periods.ts"
import { timestamp } from "./Timestamps.ts"

export const historySql = (
  sql: SqlClient.SqlClient,
  { event, match }: HistoryTest,
  { project, now }: FilterScope
): Statement.Fragment => {
  /** The project as a value, not as a join: so the set of those who have such events can also be made at once. */
  const events = (span?: Span) => sql`
    select from events as event
    where event.project_id = ${project} and event.contact_id = contacts.id and event.name = ${event}
      ${span ? sql`and event.created_at >= ${timestamp(ago(span, now.epochMilliseconds))}::timestamptz` : sql``}`

  switch (match._tag) {
    case "AtLeast": {
      const some = sql`exists (${events(match.span)})`
      if (match.count === 1) return some
      // One event is found for all contacts at once; only those who have one are counted, and no further than needed.
      return sql`(${some} and (
        select count(*) from (${events(match.span)} limit ${match.count}) as counted) >= ${match.count})`
    }
    case "Never":
      return sql`not exists (${events(match.span)})`
    case "Lapsed":
      return sql`(exists (${events()}) and not exists (${events(match.span)}))`
  }
}

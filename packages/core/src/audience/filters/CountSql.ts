/**
 * Counts the contacts of an audience. Three common shapes need no contact:
 *
 * - everybody, or the subscribed: the kept totals, which are some hundred rows for any number of contacts;
 * - one event, some number of times or never: its entries in the index `events_history`. The contact of an event always
 *   exists, because events refer to contacts by a foreign key.
 *
 * All others read contacts. A value of custom data is found by the index `contacts_data`, but PostgreSQL then reads each
 * contact that it found: entries of a `jsonb_path_ops` index are hashes, so every match is checked again.
 *
 * Plans: `FilterPlans.test.ts`. Measured at 1,000,000 contacts: `npm run bench -- --only A4,A9`.
 */
import type { Condition, HistoryMatch } from "@posthorn/contract/audience/filters/Condition"
import type { SqlClient, Statement } from "effect/sql"
import type { Audience } from "./FilterScope.ts"
import { conditionSql } from "./FilterSql.ts"
import { eventContactsSql } from "./HistorySql.ts"

/** The one condition within groups of one. */
const only = (condition: Condition): Condition => {
  if (condition._tag !== "AllOf" && condition._tag !== "AnyOf") return condition
  const [first] = condition.conditions
  return first !== undefined && condition.conditions.length === 1 ? only(first) : condition
}

/** Selects `count`. It is planned at each execution, because its estimate depends on the values of the condition. */
export const countSql = (sql: SqlClient.SqlClient, { condition, scope }: Audience): Statement.Statement<unknown> => {
  const one = only(condition)
  const kept = (column: string) => sql`
    select coalesce(sum(${sql.literal(column)}), 0)::int as count from contact_tallies
    where project_id = ${scope.project}`
  if (one._tag === "AllOf" && one.conditions.length === 0) return kept("contacts")
  if (one._tag === "Subscribed") return kept(one.is ? "subscribed" : "contacts - subscribed")
  if (one._tag === "History") {
    const counted = (match: HistoryMatch) => {
      const found = eventContactsSql(sql, { ...one, match }, scope)
      return found && sql`(select count(*)::int from (${found}) as counted)`
    }
    const { match } = one
    const some = counted(match._tag === "Never" ? { ...match, _tag: "AtLeast", count: 1 } : match)
    if (some !== undefined) {
      return match._tag === "Never"
        ? sql`select kept.count - ${some} as count from (${kept("contacts")}) as kept`
        : sql`select ${some} as count`
    }
  }
  return sql`
    select count(*)::int as count from contacts
    where contacts.project_id = ${scope.project} and ${conditionSql(sql, condition, scope)}`
}

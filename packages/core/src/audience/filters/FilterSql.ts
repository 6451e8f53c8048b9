/**
 * Compiles a condition to one boolean expression over a row of `contacts`. The expression is true or false, never null.
 *
 * No text from callers is part of the statement: names, values, paths and instants are parameters. No stored data can
 * make the expression fail. Tests that an index can answer are not hidden from the planner inside `coalesce` or `case`:
 * equality of data is containment (GIN over `data`, jsonb_path_ops), events are `exists`, which becomes a semi-join or
 * a hashed set if that is cheaper (events by project, name, contact and time), and times and addresses are comparisons.
 */
import type {
  Condition,
  EmailTest,
  ExternalIdTest,
  MembershipTest,
  Period,
  SnoozedUntilTest,
  TimeTest
} from "@posthorn/contract/audience/filters/Condition"
import type { SqlClient, Statement } from "effect/sql"
import { takesSql } from "../contacts/MailConsent.ts"
import { choiceSql } from "./ChoiceSql.ts"
import type { FilterScope } from "./FilterScope.ts"
import { historySql } from "./HistorySql.ts"
import { jsonHolds } from "./JsonHolds.ts"
import { jsonSql } from "./JsonSql.ts"
import { instantsOf } from "./Periods.ts"
import { without } from "./SegmentDefinitions.ts"
import { timestamp } from "./Timestamps.ts"

/** The surrounding statement must contain `contacts` under that name, limited to the project. */
export const conditionSql = (
  sql: SqlClient.SqlClient,
  condition: Condition,
  scope: FilterScope
): Statement.Fragment => {
  switch (condition._tag) {
    case "AllOf":
      return condition.conditions.length === 0
        ? sql`true`
        : sql.and(condition.conditions.map((each) => conditionSql(sql, each, scope)))
    case "AnyOf":
      return sql.or(condition.conditions.map((each) => conditionSql(sql, each, scope)))
    case "Email":
      return emailSql(sql, condition)
    case "ExternalId":
      return externalIdSql(sql, condition)
    case "Subscribed":
      return condition.is ? sql`contacts.subscribed` : sql`not contacts.subscribed`
    case "TakesTopic": {
      const topic = scope.topics.get(condition.topic)
      if (topic === undefined) return condition.is ? sql`false` : sql`true`
      const takes = takesSql(sql, "contacts", topic, nowSql(sql, scope))
      return condition.is ? takes : sql`not (${takes})`
    }
    case "Time":
      return timeSql(sql, condition, scope.now.epochMilliseconds)
    case "SnoozedUntil":
      return snoozedUntilSql(sql, condition, scope)
    case "Choice":
      return choiceSql(sql, condition, scope)
    case "Json": {
      const now = scope.now.epochMilliseconds
      if (condition.of === "data") return jsonSql(sql, condition, now)
      return jsonHolds(condition, scope.context ?? {}, now) ? sql`true` : sql`false`
    }
    case "History":
      return historySql(sql, condition, scope)
    case "Membership":
      return membershipSql(sql, condition, scope)
  }
}

const emailSql = (sql: SqlClient.SqlClient, { match, negated }: EmailTest): Statement.Fragment => {
  const matches = () => {
    switch (match._tag) {
      case "OneOf":
        return sql`contacts.email = any(${match.addresses}::text[])`
      case "Contains":
        return sql`strpos(contacts.email, ${match.text}) > 0`
      case "StartsWith":
        return sql`starts_with(contacts.email, ${match.text})`
      case "EndsWith":
        return sql`right(contacts.email, length(${match.text}::text)) = ${match.text}`
    }
  }
  return negated ? sql`not (${matches()})` : matches()
}

/** Tests that the id is there first, so that the result is never null. */
const externalIdSql = (sql: SqlClient.SqlClient, { match, negated }: ExternalIdTest): Statement.Fragment => {
  const id = sql`contacts.external_id`
  const matches = () => {
    switch (match._tag) {
      case "Present":
        return sql`true`
      case "Missing":
        return undefined
      case "OneOf":
        return sql`${id} = any(${match.ids}::text[])`
      case "Contains":
        return sql`strpos(${id}, ${match.text}) > 0`
      case "StartsWith":
        return sql`starts_with(${id}, ${match.text})`
      case "EndsWith":
        return sql`right(${id}, length(${match.text}::text)) = ${match.text}`
    }
  }
  const holds = matches()
  if (holds === undefined) return sql`${id} is null`
  return sql`(${id} is not null and ${negated ? sql`not (${holds})` : holds})`
}

const nowSql = (sql: SqlClient.SqlClient, { now }: FilterScope) => sql`${timestamp(now.epochMilliseconds)}::timestamptz`

const periodSql = (sql: SqlClient.SqlClient, column: Statement.Fragment, period: Period, now: number) => {
  const { from, to } = instantsOf(period, now)
  return sql.and([
    ...(from === undefined ? [] : [sql`${column} >= ${timestamp(from)}::timestamptz`]),
    ...(to === undefined ? [] : [sql`${column} < ${timestamp(to)}::timestamptz`])
  ])
}

const timeSql = (sql: SqlClient.SqlClient, { field, match, negated }: TimeTest, now: number): Statement.Fragment => {
  const column = field === "createdAt" ? sql`contacts.created_at` : sql`contacts.updated_at`
  const within = periodSql(sql, column, match, now)
  return negated ? sql`not (${within})` : within
}

/** A snooze that has passed is none. */
const snoozedUntilSql = (
  sql: SqlClient.SqlClient,
  { match, negated }: SnoozedUntilTest,
  scope: FilterScope
): Statement.Fragment => {
  const until = sql`contacts.snoozed_until`
  const isOpen = sql`coalesce(${until} > ${nowSql(sql, scope)}, false)`
  if (match._tag === "Missing") return sql`not ${isOpen}`
  if (match._tag === "Present") return isOpen
  const within = periodSql(sql, until, match, scope.now.epochMilliseconds)
  return sql`(${isOpen} and ${until} is not null and ${negated ? sql`not (${within})` : within})`
}

const membershipSql = (
  sql: SqlClient.SqlClient,
  { segment, member }: MembershipTest,
  scope: FilterScope
): Statement.Fragment => {
  const definition = scope.segments.get(segment)
  if (definition === undefined) return member ? sql`false` : sql`true`
  const isMember =
    definition.type === "STATIC"
      ? sql`exists (
          select from segment_members as member
          where member.project_id = ${scope.project} and member.segment_id = ${segment}
            and member.contact_id = contacts.id)`
      : conditionSql(sql, definition.condition, { ...scope, segments: without(scope.segments, segment) })
  return member ? isMember : sql`not (${isMember})`
}

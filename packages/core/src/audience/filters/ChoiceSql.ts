/** Tests of values of a closed list, over a row of `contacts`. */
import type { ChoiceTest } from "@posthorn/contract/audience/filters/Condition"
import type { SqlClient, Statement } from "effect/sql"
import type { FilterScope } from "./FilterScope.ts"
import { timestamp } from "./Timestamps.ts"

/** True or false, never null. */
export const choiceSql = (
  sql: SqlClient.SqlClient,
  { of, oneOf, negated }: ChoiceTest,
  scope: FilterScope
): Statement.Fragment => {
  if (of.name === "origin.source") {
    const isOneOf = sql`contacts.origin = any(${oneOf}::text[])`
    return sql`(contacts.origin is not null and ${negated ? sql`not (${isOneOf})` : isOneOf})`
  }
  const values = of.name === "topic" ? topicStates(sql, of.topic, scope) : subscriptions(sql, scope)
  const chosen = Object.entries(values).filter(([word]) => oneOf.includes(word))
  const isOneOf = chosen.length === 0 ? sql`false` : sql.or(chosen.map(([, holds]) => holds))
  return negated ? sql`not (${isOneOf})` : isOneOf
}

type Values = { readonly [word: string]: Statement.Fragment }

const subscriptions = (sql: SqlClient.SqlClient, { now }: FilterScope): Values => {
  const isPending = sql`coalesce(contacts.pending_until > ${timestamp(now.epochMilliseconds)}::timestamptz, false)`
  return {
    subscribed: sql`contacts.subscribed`,
    unsubscribed: sql`(not contacts.subscribed and not ${isPending})`,
    pending: sql`(not contacts.subscribed and ${isPending})`
  }
}

/** The index over both lists finds the few contacts that have a state. */
const topicStates = (sql: SqlClient.SqlClient, key: string, { topics }: FilterScope): Values => {
  const topic = topics.get(key)
  if (topic === undefined) return { subscribed: sql`false`, unsubscribed: sql`false`, unset: sql`true` }
  const listed = (column: Statement.Fragment) => sql`(${column} is not null and ${column} @> array[${topic.id}::uuid])`
  const subscribed = listed(sql`contacts.topics_on`)
  const unsubscribed = listed(sql`contacts.topics_off`)
  return { subscribed, unsubscribed, unset: sql`(not ${subscribed} and not ${unsubscribed})` }
}

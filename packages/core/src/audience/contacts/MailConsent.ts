/**
 * Whether a contact takes mail of a topic, or of none: the rule once in TypeScript and once as SQL.
 *
 * It takes the mail when it is subscribed, no snooze is open, and its state for the topic, or else the topic's default,
 * is `subscribed`. `mail/Eligibility.ts` says which mail asks.
 */
import type { TakingRefusal } from "@posthorn/contract/audience/suppressions/Suppression"
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** What the row of a contact says about mail. */
export interface MailConsent {
  readonly subscribed: boolean
  readonly snoozedUntil: DateTime.Utc | null
  /** Ids of the topics that it takes, and of those that it left. */
  readonly topicsOn: ReadonlyArray<string> | null
  readonly topicsOff: ReadonlyArray<string> | null
}

/** The topic of a mail. */
export interface MailTopic {
  readonly id: string
  /** What a contact without a state of its own is. */
  readonly defaultOn: boolean
}

/** Why the contact does not take the mail; undefined if it does. */
export const takingRefusal = (
  { subscribed, snoozedUntil, topicsOn, topicsOff }: MailConsent,
  topic: MailTopic | null,
  now: DateTime.Utc
): TakingRefusal | undefined => {
  if (!subscribed) return "UNSUBSCRIBED"
  if (topic !== null && !(topic.defaultOn ? !topicsOff?.includes(topic.id) : topicsOn?.includes(topic.id))) {
    return "TOPIC_UNSUBSCRIBED"
  }
  return snoozedUntil !== null && DateTime.isGreaterThan(snoozedUntil, now) ? "SNOOZED" : undefined
}

/** A topic that is known while the statement is built, or the column with its id. A deleted topic is none. */
export type TopicSql = MailTopic | null | { readonly column: string }

/** Whether the row `contact` takes the topic, apart from subscription and snooze. Undefined if there is no topic. */
const takesTopic = (sql: SqlClient.SqlClient, contact: string, topic: TopicSql): Statement.Fragment | undefined => {
  const listed = (id: Statement.Fragment, column: "topics_off" | "topics_on") =>
    sql`coalesce(${id} = any(${sql.literal(`${contact}.${column}`)}), false)`
  if (topic === null) return undefined
  if ("id" in topic) {
    const id = sql`${topic.id}::uuid`
    return topic.defaultOn ? sql`not ${listed(id, "topics_off")}` : listed(id, "topics_on")
  }
  const id = sql`topic.id`
  return sql`(${sql.literal(topic.column)} is null or coalesce((
    select case when topic.default_on then not ${listed(id, "topics_off")} else ${listed(id, "topics_on")} end
    from topics as topic
    where topic.project_id = ${sql.literal(contact)}.project_id and topic.id = ${sql.literal(topic.column)}), true))`
}

const isSnoozed = (sql: SqlClient.SqlClient, contact: string, now: Statement.Fragment) =>
  sql`coalesce(${sql.literal(contact)}.snoozed_until > ${now}, false)`

/** Whether the row `contact` takes the mail. `now` is a timestamp. Reads no other table, unless the topic is a column. */
export const takesSql = (
  sql: SqlClient.SqlClient,
  contact: string,
  topic: TopicSql,
  now: Statement.Fragment
): Statement.Fragment =>
  sql.and([
    sql.literal(`${contact}.subscribed`),
    ...[takesTopic(sql, contact, topic)].filter((part) => part !== undefined),
    sql`not ${isSnoozed(sql, contact, now)}`
  ])

/** The reasons in the order in which they exclude, each with its condition on the row `contact`. */
export const refusalsSql = (
  sql: SqlClient.SqlClient,
  contact: string,
  topic: TopicSql,
  now: Statement.Fragment
): ReadonlyArray<readonly [reason: TakingRefusal, applies: Statement.Fragment]> => {
  const taken = takesTopic(sql, contact, topic)
  return [
    ["UNSUBSCRIBED", sql`not ${sql.literal(contact)}.subscribed`],
    ...(taken === undefined ? [] : [["TOPIC_UNSUBSCRIBED", sql`not ${taken}`] as const]),
    ["SNOOZED", isSnoozed(sql, contact, now)]
  ]
}

/** The reason why the row `contact` does not take the mail. Null if it does, or if there is no contact. */
export const takingRefusalSql = (
  sql: SqlClient.SqlClient,
  contact: string,
  topic: TopicSql,
  now: Statement.Fragment
): Statement.Fragment => {
  const cases = refusalsSql(sql, contact, topic, now).map(
    ([reason, applies]) => sql`when ${applies} then ${sql.literal(`'${reason}'`)}`
  )
  return sql`case when ${sql.literal(contact)}.id is null then null ${cases.reduce((all, next) => sql`${all} ${next}`)} end`
}

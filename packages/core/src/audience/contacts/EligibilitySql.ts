/**
 * Counts who of some contacts would get a campaign, and why the others would not, in one pass.
 *
 * The reasons are in the order in which they exclude: a contact counts for the first that applies. A new reason is a row
 * of `reasons`, and a field of `ExcludedContacts`.
 */
import type {
  ContactCount,
  ExcludedContacts,
  IntendedMail
} from "@posthorn/contract/audience/contacts/ContactSelection"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { SuppressedAddress } from "../suppression/SuppressedAddress.ts"
import { type MailTopic, refusalsSql } from "./MailConsent.ts"

/** The mail, with the topic that the request names. */
export interface AskedMail extends Pick<IntendedMail, "type"> {
  readonly topic: MailTopic | null
}

/** The mail of a campaign asks consent unless it is transactional. */
const reasonsOf = (
  sql: SqlClient.SqlClient,
  { type, topic }: AskedMail,
  isSuppressed: Statement.Fragment,
  now: Statement.Fragment
) => {
  const asked = type === "TRANSACTIONAL" ? new Map() : new Map(refusalsSql(sql, "contacts", topic, now))
  return {
    unsubscribed: asked.get("UNSUBSCRIBED") ?? sql`false`,
    topicUnsubscribed: asked.get("TOPIC_UNSUBSCRIBED") ?? sql`false`,
    snoozed: asked.get("SNOOZED") ?? sql`false`,
    suppressed: isSuppressed
  } satisfies { readonly [Reason in keyof ExcludedContacts]: Statement.Fragment }
}

export const eligibilitySql = (
  sql: SqlClient.SqlClient,
  suppressed: SuppressedAddress["Service"],
  project: ProjectId,
  mail: AskedMail,
  now: Date,
  holds: ((few: boolean) => Statement.Fragment) | undefined
): Statement.Statement<unknown> => {
  const { joins, isSuppressed } = suppressed.joinMany(sql`${project}::uuid`, sql`contacts.email`)
  const reasons = reasonsOf(sql, mail, isSuppressed, sql`${now}::timestamptz`)
  const first = Object.entries(reasons).map(([name, applies]) => sql`when ${applies} then ${sql.literal(`'${name}'`)}`)
  const counts = Object.keys(reasons).map(
    (name) => sql`(count(*) filter (where reason = ${sql.literal(`'${name}'`)}))::int as ${sql.literal(`"${name}"`)}`
  )
  return sql`
    select count(*)::int as count, (count(*) filter (where reason is null))::int as eligible, ${sql.csv(counts)}
    from (
      select case ${first.reduce((all, next) => sql`${all} ${next}`)} end as reason
      from contacts ${joins}
      where ${sql.and([sql`contacts.project_id = ${project}`, ...(holds ? [holds(false)] : [])])}
    ) as judged`
}

const row = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({
      count: Schema.Int,
      eligible: Schema.Int,
      unsubscribed: Schema.Int,
      topicUnsubscribed: Schema.Int,
      snoozed: Schema.Int,
      suppressed: Schema.Int
    })
  ])
)

export const readEligibility = (rows: unknown): Effect.Effect<ContactCount, Schema.SchemaError> =>
  Effect.map(row(rows), ([{ count, eligible, ...excluded }]) => ({ count, eligible, excluded }))

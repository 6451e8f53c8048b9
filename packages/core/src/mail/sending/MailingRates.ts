/**
 * The rates of campaigns, shared by all workers. A rate is a token bucket that holds the mails of one second, at least
 * one. Its row says until when the time is used: each mail uses the time from one mail to the next, and time that was
 * not used is kept for a second. So a pause or an outage gives no more than that.
 *
 * The row is locked from the look at the free mails until the claim commits. It is apart from `mailings`, whose rows the
 * marks of tries lock.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** From when on the time is not used, for a row `rates`. */
const freeFrom = (sql: SqlClient.SqlClient, now: Date) => sql`
  greatest(rates.used_until, ${now}::timestamptz - make_interval(secs => greatest(1, 60.0 / rates.per_minute)))`

/** The mails that may leave now, for a row `rates`: 0 or less if none. Instants are exact to a microsecond. */
export const roomSql = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment => sql`
  floor((extract(epoch from ${now}::timestamptz - ${freeFrom(sql, now)})::float8 + 0.000001)
        * rates.per_minute / 60.0)::bigint`

/** The rest of `taken` mails, for a row `rates`. */
const usedSql = (sql: SqlClient.SqlClient, taken: Statement.Fragment, now: Date) => sql`
  ${freeFrom(sql, now)} + make_interval(secs => ${taken} * 60.0 / rates.per_minute)`

/**
 * The common table expressions that make `due` of `wanted` (project_id, campaign_id, id, due_at): without the mails that
 * are more than the rate of their campaign allows. `campaign_id` is null for mail that no rate limits.
 */
export const paced = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment => sql`
  rated as materialized (
    select rates.project_id, rates.campaign_id, ${roomSql(sql, now)} as room from mailing_rates as rates
    where (rates.project_id, rates.campaign_id) in (select project_id, campaign_id from wanted)
    order by rates.project_id, rates.campaign_id for update
  ),
  due as materialized (
    select numbered.project_id, numbered.id, numbered.campaign_id
    from (
      select *, row_number() over (partition by project_id, campaign_id order by due_at, id) as n from wanted
    ) as numbered
    left join rated on rated.project_id = numbered.project_id and rated.campaign_id = numbered.campaign_id
    where rated.room is null or n <= rated.room
  ),
  used as (
    update mailing_rates as rates set used_until = ${usedSql(sql, sql`taken.n`, now)}
    from (
      select due.project_id, due.campaign_id, count(*) as n from due join rated using (project_id, campaign_id) group by 1, 2
    ) as taken
    where rates.project_id = taken.project_id and rates.campaign_id = taken.campaign_id
  )`

const rooms = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ campaign: Schema.String, room: Schema.Int })))

/** The mails that each of these campaigns may send now, for those with a rate. Locks the rates until the transaction ends. */
export const lockRooms = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  campaigns: ReadonlyArray<string>,
  now: Date
) {
  if (campaigns.length === 0) return new Map<string, number>()
  const found = yield* rooms(
    yield* sql`
      select rates.campaign_id as campaign, least(greatest(${roomSql(sql, now)}, 0), 1000000)::int as room
      from mailing_rates as rates
      where rates.project_id = ${project} and rates.campaign_id = any(${campaigns}::uuid[])
      order by rates.campaign_id for update`
  )
  return new Map(found.map(({ campaign, room }) => [campaign, room]))
})

/** Stores that so many mails of a campaign with a rate leave. The caller has locked it. */
export const spendRoom = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  campaign: string,
  taken: number,
  now: Date
): Statement.Statement<unknown> => sql`
  update mailing_rates as rates set used_until = ${usedSql(sql, sql`${taken}::int`, now)}
  where rates.project_id = ${project} and rates.campaign_id = ${campaign}::uuid`

/**
 * Counts how often callers tracked which events.
 *
 * A job counts each quarter of an hour once it is over. Later events are counted from an index on request. So tracking
 * an event costs nothing extra, and the totals are always exact.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { dayFrom, quarterFrom, quarterOf } from "../platform/QuarterHours.ts"
import type { Days, TimeWindow } from "../platform/TimeWindows.ts"
import { isVisible } from "./Retracted.ts"

export interface EventTotals {
  readonly total: (project: ProjectId, window: TimeWindow) => Effect.Effect<number>
  /**
   * The most frequent names, with the number of tracked events in the window and in the window of equal length before
   * it.
   */
  readonly mostFrequent: (
    project: ProjectId,
    window: TimeWindow,
    limit: number
  ) => Effect.Effect<ReadonlyArray<{ readonly name: string; readonly count: number; readonly before: number }>>
  /** By the index of the day, from 0. Days without the event are absent. */
  readonly byDay: (
    project: ProjectId,
    name: string,
    starts: Days["starts"]
  ) => Effect.Effect<ReadonlyMap<number, number>>
  /** Counts the finished quarters of all projects. */
  readonly countFinished: Effect.Effect<void>
  /** Deletes the totals of a name. */
  readonly forget: (project: ProjectId, name: string) => Effect.Effect<void>
}

const countRow = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))
const nameRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ name: Schema.String, count: Schema.Int, before: Schema.Int }))
)

const dayRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ day: Schema.Int, count: Schema.Int })))

/**
 * One row for each day with the event. Days start with a quarter in every time zone. A day has at most 96 counted
 * quarters to add up, next to each other in an index, for any number of events. The days are a sub-select, because a
 * parameter would be parsed for each row.
 */
export const eventDaysStatement = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  name: string,
  starts: Array.NonEmptyReadonlyArray<DateTime.Utc>
) => {
  const first = DateTime.toDate(Array.headNonEmpty(starts))
  const last = DateTime.toDate(Array.lastNonEmpty(starts))
  const countedUntil = sql`(select counted_until from event_totals_mark)`
  return sql`
    select width_bucket(at, (select ${starts.map(DateTime.formatIso)}::timestamptz[])) - 1 as day, sum(count)::int as count
    from (
      select quarter as at, count from event_totals
      where project_id = ${project} and name = ${name} and quarter >= ${first}
        and quarter < least(${last}::timestamptz, ${countedUntil})
      union all
      select created_at, 1 from events
      where events.project_id = ${project} and events.source = 'tracked' and ${isVisible(sql)} and name = ${name}
        and created_at >= greatest(${first}::timestamptz, ${countedUntil}) and created_at < ${last}
    ) as counted
    group by 1`
}

/** A quarter is final once all transactions that recorded events in it have committed. */
const settled = { minutes: 5 }

export type Needs = SqlClient.SqlClient

export const make: Effect.Effect<EventTotals, never, Needs> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const tracked = (project: Statement.Fragment) =>
    sql`events.project_id = ${project} and events.source = 'tracked' and ${isVisible(sql)}`

  /** Names with their counts: whole days, then counted quarters at both ends, then single events around them. */
  const counted = (project: ProjectId, { from, until }: TimeWindow) => {
    const start = DateTime.toDate(from)
    const end = DateTime.toDate(until)
    const first = DateTime.toDate(quarterFrom(from))
    const last = DateTime.toDate(quarterOf(until))
    const day = DateTime.toDate(dayFrom(from))
    const finished = sql`(select least(counted_until, ${last}::timestamptz) from event_totals_mark)`
    const lastDay = sql`
        (select date_trunc('day', least(counted_until, ${last}::timestamptz), 'UTC') from event_totals_mark)`
    return sql`
        select name, count from event_days
        where project_id = ${project} and day >= ${day} and day < ${lastDay}
        union all
        select name, count from event_totals
        where project_id = ${project} and quarter >= ${first} and quarter < least(${day}::timestamptz, ${finished})
        union all
        select name, count from event_totals
        where project_id = ${project} and quarter >= greatest(${day}::timestamptz, ${lastDay}) and quarter < ${finished}
        union all
        select name, 1 from events
        where ${tracked(sql`${project}`)} and created_at >= ${start}
          and created_at < least(${first}::timestamptz, ${end}::timestamptz)
        union all
        select name, 1 from events
        where ${tracked(sql`${project}`)} and created_at >= greatest(${first}::timestamptz, ${finished})
          and created_at < ${end}`
  }

  const total = Effect.fn("EventTotals.total")(function* (project: ProjectId, window: TimeWindow) {
    const [{ count }] = yield* Effect.flatMap(
      sql`select coalesce(sum(count), 0)::int as count from (${counted(project, window)}) as counted`,
      countRow
    )
    return count
  }, Effect.orDie)

  const mostFrequent = Effect.fn("EventTotals.mostFrequent")(function* (
    project: ProjectId,
    window: TimeWindow,
    limit: number
  ) {
    const before = {
      from: DateTime.subtractDuration(window.from, DateTime.distance(window.from, window.until)),
      until: window.from
    }
    return yield* Effect.flatMap(
      sql`
          with most as materialized (
            select name, sum(count) as count from (${counted(project, window)}) as counted
            group by name order by count desc, name limit ${limit}
          )
          select most.name, most.count::int, coalesce(sum(earlier.count), 0)::int as before
          from most left join (${counted(project, before)}) as earlier on earlier.name = most.name
          group by most.name, most.count order by most.count desc, most.name`,
      nameRows
    )
  }, Effect.orDie)

  const byDay = Effect.fn("EventTotals.byDay")(function* (project: ProjectId, name: string, starts: Days["starts"]) {
    if (!Array.isReadonlyArrayNonEmpty(starts)) return new Map<number, number>()
    const rows = yield* Effect.flatMap(eventDaysStatement(sql, project, name, starts), dayRows)
    return new Map(rows.map(({ day, count }) => [day, count]))
  }, Effect.orDie)

  /** Prevents deletions and a second count of the same quarters until the transaction ends. */
  const locked = sql`select counted_until from event_totals_mark for update`

  const countFinished = Effect.fn("EventTotals.countFinished")(
    function* () {
      const until = DateTime.toDate(quarterOf(DateTime.subtract(yield* DateTime.now, settled)))
      yield* locked
      yield* sql`
          with counted as (
            insert into event_totals (project_id, quarter, name, count)
            select projects.id, found.quarter, found.name, found.n from event_totals_mark, projects
            cross join lateral (
              select date_bin('15 minutes', created_at, timestamptz '2000-01-01 00:00:00+00') as quarter, events.name,
                     count(*)::int as n
              from events
              where ${tracked(sql`projects.id`)} and created_at >= event_totals_mark.counted_until
                and created_at < ${until}
              group by 1, 2
            ) as found
            returning *
          )
          insert into event_days as held (project_id, day, name, count)
          select project_id, date_trunc('day', quarter, 'UTC'), name, sum(count) from counted group by 1, 2, 3
          on conflict (project_id, day, name) do update set count = held.count + excluded.count`
      yield* sql`update event_totals_mark set counted_until = ${until} where counted_until < ${until}`
    },
    sql.withTransaction,
    Effect.orDie
  )

  const forget = Effect.fn("EventTotals.forget")(function* (project: ProjectId, name: string) {
    yield* locked
    yield* sql`delete from event_totals where project_id = ${project} and name = ${name}`
    yield* sql`delete from event_days where project_id = ${project} and name = ${name}`
  }, Effect.orDie)

  return { total, mostFrequent, byDay, countFinished: countFinished(), forget } satisfies EventTotals
})

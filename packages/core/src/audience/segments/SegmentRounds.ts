/**
 * Which projects have segments to evaluate, and which worker evaluates one. A project is left alone while its marks are
 * those of its last round (`ChangeMarks.ts`) and no count of its segments can change without them.
 */
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Duration, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type ChangeMarks, isSettledSql, marksOf, marksSql } from "./ChangeMarks.ts"

export interface Round {
  readonly project: ProjectId
  readonly marks: ChangeMarks
  readonly begun: DateTime.Utc
  /** Whether all segments are counted again, whatever the marks say. */
  readonly again: boolean
}

export interface SegmentRounds {
  /** Queues the projects of the next page that need a round. Returns where the next page begins, or none. */
  readonly queueSome: (after: ProjectId | undefined, now: DateTime.Utc) => Effect.Effect<Option.Option<ProjectId>>
  /** Takes a queued project for a minute of the database clock. */
  readonly take: Effect.Effect<Option.Option<Round>>
  /** Takes it for a further minute, unless a segment was added or changed meanwhile. */
  readonly renew: (round: Round) => Effect.Effect<void>
  /**
   * `timed`: some count can change while the marks stay. The project waits on if a segment was added or changed
   * meanwhile.
   */
  readonly finish: (round: Round, timed: boolean) => Effect.Effect<void>
}

const pageSize = 200
const lease = Duration.minutes(1)
/** After this time everything is counted again. */
const trusted = Duration.days(1)

const pages = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ project: ProjectId })))
const taken = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ project: ProjectId, again: Schema.Boolean })))

const whole = ({ contacts, events, isSettled }: ChangeMarks) => (isSettled ? `${contacts} ${events}` : null)

export const make = Effect.map(SqlClient.SqlClient, (sql): SegmentRounds => {
  const until = sql`clock_timestamp() + make_interval(secs => ${Duration.toSeconds(lease)})`
  const oldest = (now: DateTime.Utc) => DateTime.toDate(DateTime.subtractDuration(now, trusted))
  return {
    queueSome: Effect.fn("SegmentRounds.queueSome")(function* (after, now) {
      const found = yield* pages(
        yield* sql`
          with recursive walked (project_id) as (
            (select project_id from segments where ${after === undefined ? sql`true` : sql`project_id > ${after}`}
             order by project_id limit 1)
            union all
            select (select project_id from segments where segments.project_id > walked.project_id
                    order by project_id limit 1)
            from walked where walked.project_id is not null
          ),
          page as materialized (select project_id from walked where project_id is not null limit ${pageSize}),
          queued as (
            insert into segment_rounds (project_id)
            select page.project_id from page left join segment_rounds as known using (project_id)
            cross join lateral ${marksSql(sql, sql`page.project_id`)} as marks
            where known.project_id is null or not known.waiting and (
              known.timed or known.counted_at is null or known.counted_at < ${oldest(now)}
              or not ${isSettledSql(sql, sql`marks.changed_at`, now)}
              or known.mark is distinct from marks.contacts || ' ' || marks.events)
            order by page.project_id
            on conflict (project_id) do update set waiting = true
          )
          select project_id as project from page order by project_id`
      )
      return found.length < pageSize ? Option.none() : Option.map(Array.last(found), ({ project }) => project)
    }, Effect.orDie),
    take: Effect.gen(function* () {
      const now = yield* DateTime.now
      const [found] = yield* taken(
        yield* sql`
          update segment_rounds set leased_until = ${until}
          where project_id = (
            select project_id from segment_rounds
            where waiting and (leased_until is null or leased_until <= clock_timestamp())
            order by begun_at nulls first limit 1 for update skip locked)
          returning project_id as project, counted_at is null or counted_at < ${oldest(now)} as again`
      )
      if (found === undefined) return Option.none()
      return Option.some({ ...found, begun: now, marks: yield* marksOf(sql, found.project, now) })
    }).pipe(Effect.orDie, Effect.withSpan("SegmentRounds.take")),
    renew: ({ project }) =>
      sql`
        update segment_rounds set leased_until = ${until} where project_id = ${project} and leased_until is not null`.pipe(
        Effect.asVoid,
        Effect.orDie
      ),
    finish: ({ again, begun, marks, project }, timed) =>
      sql`
        update segment_rounds set waiting = false, leased_until = null, timed = ${timed}, mark = ${whole(marks)},
          begun_at = ${DateTime.toDate(begun)}
          ${again ? sql`, counted_at = ${DateTime.toDate(begun)}` : sql``}
        where project_id = ${project} and leased_until is not null`.pipe(Effect.asVoid, Effect.orDie)
  }
})

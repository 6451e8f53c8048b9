/**
 * Statements for bounce and complaint rates, warnings and suspensions.
 *
 * Bounces and complaints are counted from the stored mails, which are few. Mails that were sent come from the totals of
 * each quarter of an hour, from the first stored mail on, so that retention takes both out of the rates. Only the first
 * quarter of a period is counted from mails.
 */

import { StandingMetric } from "@posthorn/contract/accounts/projects/Security"
import { DisabledReason, ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { anyOf, nextDue } from "../../platform/jobs/Agenda.ts"

const Counts = Schema.Struct({
  sent7Day: Schema.Int,
  bounces7Day: Schema.Int,
  complaints7Day: Schema.Int,
  sentAllTime: Schema.Int,
  bouncesAllTime: Schema.Int,
  complaintsAllTime: Schema.Int
})
export type Counts = typeof Counts.Type
const countsRow = Schema.decodeUnknownEffect(Schema.Tuple([Counts]))
const ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ProjectId })))
const suspensionRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      reason: DisabledReason,
      metric: Schema.NullOr(StandingMetric),
      value: Schema.NullOr(Schema.Finite),
      at: Schema.DateTimeUtcFromDate,
      liftedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
    })
  )
)

interface NewSuspension {
  readonly id: string
  readonly reason: DisabledReason
  readonly metric: StandingMetric | null
  readonly value: number | null
}

const window = Duration.days(7)

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const projectIds = (statement: Effect.Effect<ReadonlyArray<unknown>, unknown>) =>
    statement.pipe(
      Effect.flatMap(ids),
      Effect.map((rows) => rows.map(({ id }) => id)),
      Effect.orDie
    )

  return {
    /**
     * Counts mails by the time they were sent: in the last seven days, and in all time. Both periods start when the project
     * was created, or last enabled again, at the earliest. Test mails do not count. A mail that bounced in the SMTP session
     * also counts as sent, at the time of the bounce.
     */
    counts: Effect.fn("SenderReputation.counts")(function* (project: ProjectId, now: DateTime.Utc) {
      const week = DateTime.toDate(DateTime.subtractDuration(now, window))
      const [counts] = yield* countsRow(
        yield* sql`
          with span as materialized (
            select coalesce(standing_since, created_at) as since,
                   greatest(coalesce(standing_since, created_at), ${week}::timestamptz) as recent
            from projects where id = ${project}
          ),
          starts as materialized (
            select name, at, date_bin('15 minutes', at + interval '15 minutes' - interval '1 microsecond',
                                      timestamptz '2000-01-01 00:00:00+00') as quarter
            from (
              select 'all' as name, greatest(since, (
                select sent_at from emails where project_id = ${project} and sent_at is not null and not test
                order by project_id, sent_at, id limit 1)) as at
              from span
              union all
              select 'recent', recent from span
            ) as start
          ),
          sums as materialized (
            select name, (
              (select count(*) from emails
               where project_id = ${project} and sent_at >= starts.at and sent_at < starts.quarter and not test)
              + coalesce((select sum(sent) from mail_totals
                          where project_id = ${project} and mail_totals.quarter >= starts.quarter), 0)
              + coalesce((select sum(sent) from mail_total_deltas
                          where project_id = ${project} and mail_total_deltas.quarter >= starts.quarter), 0)
            )::int as sent
            from starts
          ),
          sent as (
            select (select sent from sums where name = 'all') as all,
                   (select sent from sums where name = 'recent') as recent
          ),
          bounced as (
            select count(*)::int as all, count(*) filter (where coalesce(sent_at, bounced_at) >= span.recent)::int as recent,
                   count(*) filter (where sent_at is null)::int as refused,
                   count(*) filter (where sent_at is null and bounced_at >= span.recent)::int as "refusedRecently"
            from span join emails on project_id = ${project} and bounced_for_good and not test
              and coalesce(sent_at, bounced_at) >= span.since
          ),
          complained as (
            select count(*)::int as all, count(*) filter (where sent_at >= span.recent)::int as recent
            from span join emails on project_id = ${project} and complained_at is not null and not test
              and sent_at >= span.since
          )
          select sent.recent + "refusedRecently" as "sent7Day", sent.all + refused as "sentAllTime",
                 bounced.recent as "bounces7Day", bounced.all as "bouncesAllTime",
                 complained.recent as "complaints7Day", complained.all as "complaintsAllTime"
          from sent, bounced, complained`
      )
      return counts
    }, Effect.orDie),
    /** Queues an evaluation of the project. Joins the caller's transaction. */
    markChanged: (project: ProjectId, now: DateTime.Utc) =>
      sql`
        insert into security_checks (project_id, due_at) values (${project}, ${DateTime.toDate(now)})
        on conflict do nothing`.pipe(Effect.asVoid, Effect.orDie),
    /** Whether an evaluation is queued. */
    nextChanged: nextDue(anyOf(sql, sql`security_checks order by due_at`)),
    /** Takes the projects with a queued evaluation. */
    takeChanged: projectIds(sql`delete from security_checks returning project_id as id`),
    /** Every enabled project with a mail sent since `since`. */
    active: (since: DateTime.Utc) =>
      projectIds(sql`
        select id from projects where disabled_reason is null and exists (
          select from emails where project_id = projects.id and sent_at >= ${DateTime.toDate(since)} and not test)`),
    /** True for the first warning about this metric on this day (UTC). */
    firstWarning: (project: ProjectId, metric: StandingMetric, now: DateTime.Utc) =>
      sql`
        insert into security_warnings (project_id, metric, day)
        values (${project}, ${metric}, (${DateTime.toDate(now)}::timestamptz at time zone 'UTC')::date)
        on conflict do nothing returning metric`.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie
      ),
    /** Opens a suspension. False if the project has an open one already. */
    open: (project: ProjectId, { id, reason, metric, value }: NewSuspension, now: DateTime.Utc) =>
      sql`
        insert into suspensions (id, project_id, reason, metric, value, at)
        values (${id}, ${project}, ${reason}, ${metric}, ${value}, ${DateTime.toDate(now)})
        on conflict (project_id) where lifted_at is null do nothing returning id`.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie
      ),
    close: (project: ProjectId, now: DateTime.Utc) =>
      sql`
        update suspensions set lifted_at = ${DateTime.toDate(now)}
        where project_id = ${project} and lifted_at is null`.pipe(Effect.asVoid, Effect.orDie),
    /** Newest first. */
    suspensions: (project: ProjectId, limit: number) =>
      sql`
        select reason, metric, value, at, lifted_at as "liftedAt" from suspensions
        where project_id = ${project} order by at desc, id desc limit ${limit}`.pipe(
        Effect.flatMap(suspensionRows),
        Effect.orDie
      )
  }
})

/** Metrics of waiting work, for the operator. */
import { DateTime, Duration, Effect, Metric, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { cachedFor } from "../platform/Elapsed.ts"

const pending = Metric.gauge("posthorn_emails_pending", { description: "Mails that wait to be sent" })
const oldest = Metric.gauge("posthorn_email_oldest_pending_seconds", {
  description: "Seconds since the oldest waiting mail became due"
})
const undispatched = Metric.gauge("posthorn_events_undispatched", { description: "Events that wait to be dispatched" })
const stuck = Metric.gauge("posthorn_events_stuck", {
  description: "Events that could not be dispatched for more than 15 minutes"
})

const live = Metric.gauge("posthorn_executions_live", { description: "Workflow executions that run or wait" })
const lag = Metric.gauge("posthorn_executions_due_lag_seconds", {
  description: "Seconds since the oldest due workflow execution became due"
})

const Row = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ pending: Schema.Int, oldest: Schema.NullOr(Schema.DateTimeUtcFromDate) })])
)

const EventsRow = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ undispatched: Schema.Int, stuck: Schema.Int })])
)

const stuckAfter = Duration.minutes(15)
const freshFor = Duration.seconds(10)

/**
 * Makes the effect that sets the gauges. It reads every waiting email, so it does nothing within 10 seconds of the last
 * run.
 */
export const make: Effect.Effect<Effect.Effect<void>, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  /** Events in the outbox, and events that were set aside because their dispatch failed. */
  const waitingEvents = (now: DateTime.Utc) => {
    const since = DateTime.toDate(DateTime.subtractDuration(now, stuckAfter))
    return sql`
        select count(*)::int as undispatched, (count(*) filter (where at < ${since}))::int as stuck from (
          select created_at as at from events where dispatched_at is null
          union all
          select failed_at as at from event_dispatch_failures
        ) as waiting`
  }
  const update = Effect.fnUntraced(function* (
    rows: ReadonlyArray<unknown>,
    count: Metric.Gauge<number>,
    late: Metric.Gauge<number>
  ) {
    const [row] = yield* Row(rows)
    const waited = row.oldest === null ? Duration.zero : DateTime.distance(row.oldest, yield* DateTime.now)
    yield* Metric.update(count, row.pending)
    yield* Metric.update(late, Math.max(0, Duration.toSeconds(waited)))
  })

  const measure = Effect.gen(function* () {
    const now = DateTime.toDate(yield* DateTime.now)
    // Queries each lane separately, because each has an index of its own. Held emails wait but are not late.
    const rows = yield* sql`
        select count(*)::int as pending,
               min(due_at) filter (
                 where not stopped and project_id not in (select id from projects where disabled_reason is not null)
               ) as oldest
        from (
          select project_id, due_at, false as stopped from emails where status = 'PENDING' and lane = 0
          union all
          select project_id, due_at, false from emails where status = 'PENDING' and lane = 1
          union all
          select project_id, due_at,
                 (project_id, campaign_id) not in (
                   select project_id, campaign_id from mailings
                   where is_open and (held_until is null or held_until <= ${now}::timestamptz))
          from emails where status = 'PENDING' and lane = 2
        ) as waiting`
    yield* update(rows, pending, oldest)
    const executions = yield* sql`
        select (select count(*)::int from workflow_executions where status in ('RUNNING', 'WAITING')) as pending,
               least(
                 (select min(due_at) from workflow_executions where due_at is not null and not frozen and not outside),
                 (select min(due_at) from workflow_executions where due_at is not null and not frozen and outside)
               ) as oldest`
    yield* update(executions, live, lag)
    const [events] = yield* EventsRow(yield* waitingEvents(yield* DateTime.now))
    yield* Metric.update(undispatched, events.undispatched)
    yield* Metric.update(stuck, events.stuck)
  }).pipe(Effect.orDie, Effect.withSpan("Backlog.measure"))

  return yield* cachedFor(freshFor)(measure)
})

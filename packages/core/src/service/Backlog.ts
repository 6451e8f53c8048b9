/** Metrics of waiting work, for the operator. */
import { DateTime, Duration, Effect, Metric, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { cachedFor } from "../platform/Elapsed.ts"
import type { RowKeys } from "../platform/RowCounts.ts"

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
 * The first row of each group of an index, without reading the others. The index begins with the columns of the group,
 * and then the due time. `rows` is a condition on `emails`.
 */
const firsts = (sql: SqlClient.SqlClient, columns: ReadonlyArray<string>, rows: string): Statement.Fragment => {
  const group = sql.literal(columns.join(", "))
  const before = sql.literal(columns.map((column) => `walked.${column}`).join(", "))
  const ordered = sql.literal(`order by ${columns.join(", ")}, due_at limit 1`)
  return sql`(
    with recursive walked as (
      (select ${group}, due_at from emails where ${sql.literal(rows)} ${ordered})
      union all
      select next.* from walked cross join lateral (
        select ${group}, due_at from emails where ${sql.literal(rows)} and (${group}) > (${before}) ${ordered}
      ) as next
    )
    select * from walked
  )`
}

/** Makes the effect that sets the gauges. It does nothing within 10 seconds of the last run. */
export const make: Effect.Effect<Effect.Effect<void>, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  /** Events in the outbox, and events that were set aside because their dispatch failed. */
  const waitingEvents = (now: DateTime.Utc) => {
    const since = DateTime.toDate(DateTime.subtractDuration(now, stuckAfter))
    return sql`
        select count(*)::int as undispatched, (count(*) filter (where at < ${since}))::int as stuck from (
          select created_at as at from event_outbox
          union all
          select failed_at as at from event_dispatch_failures
        ) as waiting`
  }
  /** Of all projects, from the kept totals of `RowCounts.ts`. The conditions are those of their partial indexes. */
  const keptSum = (relation: keyof RowKeys, key: string) => {
    const which = sql.literal(`relation = '${relation}' and ${key}`)
    return sql`(
      select coalesce(sum(count), 0)::int from (
        select count from row_counts where ${which} union all select count from row_count_deltas where ${which}
      ) as kept)`
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
    // Each lane has an index of its own. Held emails wait but are not late.
    const rows = yield* sql`
        select ${keptSum("emails", "key[1] = 'PENDING'")} as pending,
               (select min(due_at) from (
                  select project_id, due_at from ${firsts(sql, ["project_id"], "status = 'PENDING' and lane = 0")} as first
                  union all
                  select project_id, due_at
                  from ${firsts(sql, ["project_id", "queue"], "status = 'PENDING' and lane = 1")} as first
                  union all
                  select project_id, due_at
                  from ${firsts(sql, ["project_id", "campaign_id", "queue"], "status = 'PENDING' and lane = 2")} as first
                  where (project_id, campaign_id) in (
                    select project_id, campaign_id from mailings
                    where is_open and (held_until is null or held_until <= ${now}::timestamptz))
                ) as waiting
                where project_id not in (select id from projects where disabled_reason is not null)) as oldest`
    yield* update(rows, pending, oldest)
    const executions = yield* sql`
        select ${keptSum("workflow_executions", "key[2] = 'live'")} as pending,
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

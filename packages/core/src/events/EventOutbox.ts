/** Events that wait to be dispatched, and events whose reactions failed. */
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Duration, Effect, type Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { pauseAfter } from "../platform/Backoff.ts"
import { anyOf, type NextDue, nextDue } from "../platform/jobs/Agenda.ts"
import { batchRows, type EventKey } from "./EventHandler.ts"

export interface FailedEvent extends EventKey {
  /** The number of failed attempts. */
  readonly attempts: number
}

/** Projects in the order of their turns. All events of a project are in one bucket. */
export interface OutboxPlace {
  readonly bucket: number
  readonly project: string
}

export interface TakenEvents {
  readonly events: ReadonlyArray<EventKey>
  /** Where the next turn starts. Undefined if nothing waits behind these events. */
  readonly next: OutboxPlace | undefined
}

/** All methods join the transaction of the reactions. */
export interface EventOutbox {
  /** Whether an event waits. */
  readonly next: NextDue
  /** When the next failed event is due. */
  readonly nextFailed: NextDue
  /**
   * Takes events out, by project and in stored order, starting after the given place. Dispatchers share the buckets: one
   * keeps the buckets that it takes from until its transaction ends, so that events of one contact stay in order, and
   * the others take from the next ones.
   */
  readonly take: (after: OutboxPlace | undefined, limit: number) => Effect.Effect<TakenEvents>
  /** Takes out those of the events that still wait. Waits for its turn in their buckets. */
  readonly takeAgain: (events: ReadonlyArray<EventKey>) => Effect.Effect<ReadonlyArray<EventKey>>
  /** Takes out an event that failed alone, to retry it later. */
  readonly setAside: (event: EventKey, error: string, now: DateTime.Utc) => Effect.Effect<void>
  /** Returns a failed event that is due and locks it until the transaction ends. */
  readonly takeFailed: (now: DateTime.Utc) => Effect.Effect<Option.Option<FailedEvent>>
  readonly settle: (event: EventKey) => Effect.Effect<void>
  readonly failAgain: (event: FailedEvent, error: string, now: DateTime.Utc) => Effect.Effect<void>
}

const maxPause = Duration.hours(1)
const maxError = 1_000

const storable = (error: string): string => error.replaceAll("\0", "\uFFFD").slice(0, maxError)

const keys = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ bucket: Schema.Int, project: ProjectId, id: Schema.String }))
)
const failures = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ project: ProjectId, id: Schema.String, attempts: Schema.Int }))
)
const windows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ bucket: Schema.Int, events: Schema.Int, held: Schema.Boolean }))
)

/** Behind every project of a bucket. */
const lastProject = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/** As the column `bucket` of `event_outbox`, for an id or an expression of one. */
const bucketOf = (sql: SqlClient.SqlClient, project: Statement.Fragment | string): Statement.Fragment =>
  sql`(get_byte(uuid_send(${project}::uuid), 15) & 63)`

/** Whether an event waits to be dispatched, in SQL. Both are ids, or expressions of them. */
export const isWaiting = (
  sql: SqlClient.SqlClient,
  project: Statement.Fragment,
  event: Statement.Fragment
): Statement.Fragment => sql`
  exists (
    select from event_outbox as waiting
    where waiting.bucket = ${bucketOf(sql, project)} and waiting.project_id = ${project} and waiting.event_id = ${event})`

/** The rows have no defined order, so they are sorted as the outbox is. */
const inOrder = <A extends EventKey & OutboxPlace>(events: ReadonlyArray<A>): ReadonlyArray<A> =>
  events.toSorted((a, b) => a.bucket - b.bucket || (a.project + a.id < b.project + b.id ? -1 : 1))

export const make = Effect.map(SqlClient.SqlClient, (sql): EventOutbox => {
  const turns = sql`hashtext('posthorn:dispatch:' || current_schema())`

  /**
   * Locks the events as well, so that no one deletes them during the reactions. Skips those that another transaction is
   * deleting, because it may hold some events while it waits for others. A deleted event leaves the outbox.
   */
  const takeOut = (chosen: Statement.Fragment) =>
    sql`
      with chosen as materialized (${chosen}),
      held as materialized (
        select chosen.bucket, events.project_id, events.id from events
        join chosen on chosen.project_id = events.project_id and chosen.event_id = events.id
        for no key update of events skip locked
      ),
      gone as (
        delete from event_outbox as waiting using chosen
        where waiting.bucket = chosen.bucket and waiting.project_id = chosen.project_id
          and waiting.event_id = chosen.event_id
          and ((waiting.project_id, waiting.event_id) in (select project_id, id from held)
               or not exists (
                 select from events where events.project_id = chosen.project_id and events.id = chosen.event_id))
      )
      select bucket, project_id as project, id from held`.pipe(Effect.flatMap(keys), Effect.map(inOrder))

  return {
    next: nextDue(anyOf(sql, sql`event_outbox`)),
    nextFailed: nextDue(sql`select min(due_at) from event_dispatch_failures`),
    take: Effect.fn("EventOutbox.take")(function* (after, limit) {
      const behind =
        after === undefined ? sql`true` : sql`(bucket, project_id) > (${after.bucket}, ${after.project}::uuid)`
      // As a literal, so that the plan fits it whatever the planner believes of the outbox.
      const most = sql.literal(String(limit))
      const waiting = sql`
        select bucket, project_id, event_id from event_outbox where ${behind}`
      const window = yield* windows(
        yield* sql`
          with waiting as materialized (${waiting} order by bucket, project_id, event_id limit ${most}),
          buckets as materialized (select bucket, count(*)::int as events from waiting group by bucket)
          select bucket, events, pg_try_advisory_xact_lock(${turns}, bucket) as held from buckets order by bucket`
      )
      const last = window.at(-1)
      if (last === undefined) return { events: [], next: undefined }
      const held = window.filter((one) => one.held).map(({ bucket }) => bucket)
      // Reads the outbox again: another dispatcher may have emptied a bucket just before it was locked.
      const events =
        held.length === 0
          ? []
          : yield* takeOut(sql`
              ${waiting} and bucket = any(${held}::smallint[]) order by bucket, project_id, event_id limit ${most}`)
      const isFull = window.reduce((sum, one) => sum + one.events, 0) >= limit
      const skipped = { bucket: last.bucket, project: lastProject }
      return { events, next: isFull ? (events.at(-1) ?? skipped) : undefined }
    }, Effect.orDie),
    takeAgain: Effect.fn("EventOutbox.takeAgain")(function* (events) {
      const batch = batchRows(sql, { events })
      yield* sql`
        select pg_advisory_xact_lock(${turns}, bucket)
        from (select distinct ${bucketOf(sql, sql`project_id`)} as bucket from ${batch} order by 1) as buckets`
      return yield* takeOut(sql`
        select waiting.bucket, waiting.project_id, waiting.event_id from ${batch}
        join event_outbox as waiting on waiting.bucket = ${bucketOf(sql, sql`batch.project_id`)}
          and waiting.project_id = batch.project_id and waiting.event_id = batch.id`)
    }, Effect.orDie),
    setAside: Effect.fn("EventOutbox.setAside")(function* ({ project, id }, error, now) {
      const at = DateTime.toDate(now)
      const due = DateTime.toDate(DateTime.addDuration(now, pauseAfter(1, maxPause)))
      yield* sql`
        with taken as (
          delete from event_outbox
          where bucket = ${bucketOf(sql, project)} and project_id = ${project} and event_id = ${id}::uuid
          returning project_id, event_id
        )
        insert into event_dispatch_failures (project_id, event_id, attempts, failed_at, due_at, error)
        select project_id, event_id, 1, ${at}::timestamptz, ${due}::timestamptz, ${storable(error)} from taken`
    }, Effect.orDie),
    takeFailed: Effect.fn("EventOutbox.takeFailed")(function* (now) {
      const found = yield* failures(
        yield* sql`
          select project_id as project, event_id as id, attempts from event_dispatch_failures
          where due_at <= ${DateTime.toDate(now)} order by due_at limit 1 for update skip locked`
      )
      return Array.head(found)
    }, Effect.orDie),
    settle: ({ project, id }) =>
      sql`
        delete from event_dispatch_failures where project_id = ${project} and event_id = ${id}::uuid`.pipe(
        Effect.asVoid,
        Effect.orDie
      ),
    failAgain: ({ project, id, attempts }, error, now) =>
      sql`
        update event_dispatch_failures set attempts = attempts + 1, error = ${storable(error)},
               due_at = ${DateTime.toDate(DateTime.addDuration(now, pauseAfter(attempts + 1, maxPause)))}
        where project_id = ${project} and event_id = ${id}::uuid and attempts = ${attempts}`.pipe(
        Effect.asVoid,
        Effect.orDie
      )
  }
})

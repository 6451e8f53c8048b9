/** Events that wait to be dispatched, and events whose reactions failed. */
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Duration, Effect, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { pauseAfter } from "../platform/Backoff.ts"
import { anyOf, type NextDue } from "../platform/jobs/Agenda.ts"
import { batchRows, type EventKey } from "./EventHandler.ts"

export interface FailedEvent extends EventKey {
  /** The number of failed attempts. */
  readonly attempts: number
}

/** All methods join the transaction of the reactions. */
export interface EventOutbox {
  /** Whether an event waits. */
  readonly next: NextDue
  /** When the next failed event is due. */
  readonly nextFailed: NextDue
  /**
   * Takes events out, by project and in stored order, starting after the given project. Returns none while another
   * process does this: dispatchers take turns, so that events of one contact stay in order.
   */
  readonly take: (
    after: ProjectId | undefined,
    limit: number,
    now: DateTime.Utc
  ) => Effect.Effect<Option.Option<ReadonlyArray<EventKey>>>
  /** Takes out those of the events that still wait. Waits for its turn. */
  readonly takeAgain: (events: ReadonlyArray<EventKey>, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<EventKey>>
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

const keys = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ project: ProjectId, id: Schema.String })))
const failures = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ project: ProjectId, id: Schema.String, attempts: Schema.Int }))
)
const locks = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ held: Schema.Boolean })]))

/** The rows of an update have no defined order, so they are sorted. */
const inOrder = (events: ReadonlyArray<EventKey>): ReadonlyArray<EventKey> =>
  events.toSorted((a, b) => (a.project + a.id < b.project + b.id ? -1 : 1))

export const make = Effect.map(SqlClient.SqlClient, (sql): EventOutbox => {
  const turn = sql`hashtextextended('posthorn:dispatch:' || current_schema(), 0)`

  const takeOut = (chosen: Statement.Fragment, now: DateTime.Utc) =>
    sql`
      update events set dispatched_at = ${DateTime.toDate(now)}
      from (${chosen}) as chosen
      where events.project_id = chosen.project_id and events.id = chosen.id and dispatched_at is null
      returning events.project_id as project, events.id`.pipe(Effect.flatMap(keys), Effect.map(inOrder))

  return {
    next: anyOf(sql, sql`events where dispatched_at is null order by project_id, id`),
    nextFailed: sql`select min(due_at) from event_dispatch_failures`,
    take: Effect.fn("EventOutbox.take")(function* (after, limit, now) {
      const [{ held }] = yield* locks(yield* sql`select pg_try_advisory_xact_lock(${turn}) as held`)
      if (!held) return Option.none()
      const behind = after === undefined ? sql`true` : sql`project_id > ${after}`
      return Option.some(
        // Skips events that another transaction is deleting, because that transaction may hold some events while it
        // waits for others.
        yield* takeOut(
          sql`
            select project_id, id from events where dispatched_at is null and ${behind}
            order by project_id, id limit ${limit} for update skip locked`,
          now
        )
      )
    }, Effect.orDie),
    takeAgain: Effect.fn("EventOutbox.takeAgain")(function* (events, now) {
      yield* sql`select pg_advisory_xact_lock(${turn})`
      return yield* takeOut(sql`select project_id, id from ${batchRows(sql, { events })}`, now)
    }, Effect.orDie),
    setAside: Effect.fn("EventOutbox.setAside")(function* ({ project, id }, error, now) {
      const at = DateTime.toDate(now)
      const due = DateTime.toDate(DateTime.addDuration(now, pauseAfter(1, maxPause)))
      yield* sql`
        with taken as (
          update events set dispatched_at = ${at}
          where project_id = ${project} and id = ${id}::uuid and dispatched_at is null
          returning project_id, id
        )
        insert into event_dispatch_failures (project_id, event_id, attempts, failed_at, due_at, error)
        select project_id, id, 1, ${at}, ${due}, ${storable(error)} from taken`
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

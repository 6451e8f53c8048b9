/** Waits for locks between connections of a test. */
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { eventually } from "./Eventually.ts"

/**
 * The connections that wait for a lock. Clears the statistics snapshot; otherwise a transaction keeps seeing the
 * activity of its first query.
 */
const waiters = SqlClient.SqlClient.use((sql) =>
  sql`select pg_stat_clear_snapshot()`.unprepared.pipe(
    Effect.andThen(
      sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.unprepared
    ),
    Effect.orDie
  )
)

/** Waits until this many connections wait for locks. */
export const waiting = (count: number) => eventually(waiters, (found) => found.length === count)

export const somebodyWaits = eventually(waiters, (found) => found.length > 0)

/** Runs a statement in a transaction that keeps its locks. Returns the effect that ends it. */
export const hold = Effect.fnUntraced(function* <A>(statement: Effect.Effect<A, SqlError.SqlError>) {
  const sql = yield* SqlClient.SqlClient
  const isHeld = yield* Deferred.make<void>()
  const isOver = yield* Deferred.make<void>()
  const open = Effect.all([statement, Deferred.succeed(isHeld, undefined), Deferred.await(isOver)])
  const holder = yield* Effect.forkChild(sql.withTransaction(open))
  yield* Deferred.await(isHeld)
  return Effect.andThen(Deferred.succeed(isOver, undefined), Fiber.join(holder))
})

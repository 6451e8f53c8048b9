/** Workers that replace each other: killed, stopped and started again while emails are sent. */
import { Effect, Fiber, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { Installation, type Worker } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"

/**
 * Ends a worker like a crash. Returns the number of emails it had in flight, counted after its death, so that none can
 * be added. Also ends its lease, in place of the 30 seconds that the others would wait.
 */
export const kill = Effect.fnUntraced(function* (worker: Worker): Effect.fn.Return<number, never, SqlClient.SqlClient> {
  worker.signal("SIGKILL")
  yield* worker.ended
  const inFlight = yield* Ledger.inFlight(worker.id)
  yield* Ledger.endLease(worker.id)
  return inFlight
})

/**
 * Ends a worker like an operator. Returns its exit code, and how many emails it left in flight, which should be none.
 */
export const stop = Effect.fnUntraced(function* (worker: Worker) {
  worker.signal("SIGTERM")
  const exit = yield* worker.ended
  return { exit, inFlight: yield* Ledger.inFlight(worker.id) }
})

/** Ends the leases of jobs whose worker died, in place of the 60 seconds that others would wait. */
export const endJobLeases: Effect.Effect<void, never, SqlClient.SqlClient> = SqlClient.SqlClient.use((sql) =>
  Effect.asVoid(
    Effect.orDie(sql`
      update jobs set lease_until = clock_timestamp() - interval '1 second', due_at = now()
      where lease_until is not null and finished_at is null`)
  )
)

export interface Fleet {
  /** The worker at this index, once it is ready. */
  readonly at: (place: number) => Effect.Effect<Worker>
  /** Starts another worker at this index, without waiting for it. */
  readonly refill: (place: number) => Effect.Effect<void>
}

/** Starts this many workers and waits until they are ready. */
export const make = Effect.fnUntraced(function* (
  size: number
): Effect.fn.Return<Fleet, never, Installation | Scope.Scope> {
  const { startWorker } = yield* Installation
  const scope = yield* Effect.scope
  const start = Effect.forkIn(Effect.provideService(startWorker(), Scope.Scope, scope), scope)
  const places = yield* Effect.replicateEffect(start, size)
  yield* Effect.forEach(places, Fiber.join)

  return {
    at: (place) => Effect.flatMap(Effect.orDie(Effect.fromNullishOr(places[place])), Fiber.join),
    refill: (place) =>
      Effect.map(start, (worker) => {
        places[place] = worker
      })
  }
})

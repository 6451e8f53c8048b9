/** Workers that take each other's places: killed, stopped and started again while mail flows. */
import { Effect, Fiber, Scope } from "effect"
import type { SqlClient } from "effect/sql"
import { Installation, type Worker } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"

/**
 * Ends a worker as a crash would. Gives the number of mails it had in flight: counted after its death, so that none can
 * have been added since. Its lease is ended as well, which stands for the 30 seconds that the others would wait.
 */
export const kill = Effect.fnUntraced(function* (worker: Worker): Effect.fn.Return<number, never, SqlClient.SqlClient> {
  worker.signal("SIGKILL")
  yield* worker.ended
  const inFlight = yield* Ledger.inFlight(worker.id)
  yield* Ledger.endLease(worker.id)
  return inFlight
})

/** Ends a worker as an operator would. Gives its exit code, and how many mails it left in flight: none, that is. */
export const stop = Effect.fnUntraced(function* (worker: Worker) {
  worker.signal("SIGTERM")
  const exit = yield* worker.ended
  return { exit, inFlight: yield* Ledger.inFlight(worker.id) }
})

export interface Fleet {
  /** The worker in this place, once it is ready. */
  readonly at: (place: number) => Effect.Effect<Worker>
  /** Has another start in this place, and does not wait for it. */
  readonly refill: (place: number) => Effect.Effect<void>
}

/** So many workers, ready. */
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

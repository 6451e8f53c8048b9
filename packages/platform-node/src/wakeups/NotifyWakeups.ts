/** Wakes the processes on one PostgreSQL server with NOTIFY, on a channel with the name of the schema. */
import { PgClient } from "@effect/sql-pg"
import { type WakeupTopic, WakeupTransport } from "@posthorn/core/platform/Wakeups"
import { Effect, Layer, Queue } from "effect"
import { SqlClient } from "effect/sql"

/** The pause between two statements, so that one statement covers many wake-ups. */
const pause = "20 millis"
/** The pause before listening again, if the database did not answer. */
const patience = "1 second"

/** The payload that means every topic, if it is unknown what has changed. */
export const everything = ""

/**
 * The first listener takes one connection of `PgClient` for all of them. A process without listeners takes none.
 * Wake-ups are sent by `SqlClient`, which may be behind a pooler.
 */
export const layer = (schema: string): Layer.Layer<never, never, PgClient.PgClient | SqlClient.SqlClient> =>
  Layer.effect(
    WakeupTransport,
    Effect.gen(function* () {
      const pg = yield* PgClient.PgClient
      const sql = yield* SqlClient.SqlClient
      const scope = yield* Effect.scope

      const pending = new Set<WakeupTopic>()
      const due = yield* Queue.sliding<void>(1)
      const sendPending = Effect.gen(function* () {
        yield* Queue.take(due)
        const topics = [...pending]
        pending.clear()
        // The notification does not have to survive a crash, so the commit does not wait for the disk.
        yield* sql`
          with quick as materialized (select set_config('synchronous_commit', 'off', true))
          select pg_notify(${schema}, topic) from quick, unnest(${topics}::text[]) as topic`
      })
      const sending = sendPending.pipe(
        Effect.catchCause((cause) => Effect.logDebug("Other processes could not be woken", cause)),
        Effect.andThen(Effect.sleep(pause)),
        Effect.forever
      )
      yield* Effect.forkScoped(sending)

      const listeners = new Map<string, Set<Effect.Effect<void>>>()
      const wake = (topic: string) => {
        const woken = topic === everything ? [...listeners.values()].flatMap((all) => [...all]) : listeners.get(topic)
        return Effect.forEach(woken ?? [], (wake) => wake, { discard: true })
      }
      const receive = Effect.gen(function* () {
        const received = yield* pg.listen(schema)
        // Wakes all topics, because notifications sent before listening were lost.
        yield* wake(everything)
        return yield* Effect.forever(Effect.flatMap(Queue.take(received), ({ payload }) => wake(payload)))
      })
      const receiving = Effect.scoped(receive).pipe(
        Effect.catchCause((cause) => Effect.logDebug("Wake-ups of other processes cannot be received", cause)),
        Effect.andThen(Effect.sleep(patience)),
        Effect.forever
      )
      const isReceiving = yield* Effect.cached(Effect.asVoid(Effect.forkIn(receiving, scope)))

      return {
        send: (topic) =>
          Effect.suspend(() => {
            pending.add(topic)
            return Effect.asVoid(Queue.offer(due, undefined))
          }),
        onReceived: (topic, wake) =>
          Effect.gen(function* () {
            const all = listeners.get(topic) ?? new Set()
            listeners.set(topic, all)
            yield* Effect.acquireRelease(
              Effect.sync(() => all.add(wake)),
              () => Effect.sync(() => all.delete(wake))
            )
            yield* isReceiving
          })
      }
    })
  )

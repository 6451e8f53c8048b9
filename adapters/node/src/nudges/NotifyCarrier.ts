/** Nudges between the processes on one PostgreSQL server, by NOTIFY on a channel of the schema's name. */
import { PgClient } from "@effect/sql-pg"
import { NudgeCarrier } from "@posthorn/core/Nudge"
import { Effect, Layer, Queue } from "effect"

/** From one telling to the next, so that many nudges at once are one statement. */
const pause = "20 millis"
/** Until it is tried again to listen, where the database does not answer. */
const patience = "1 second"

/** Tells of every topic, where whoever tells does not know what has changed. */
export const everything = ""

/** The first who listens makes the one connection for it; a process where nobody does has none. */
export const layer = (schema: string): Layer.Layer<never, never, PgClient.PgClient> =>
  Layer.effect(
    NudgeCarrier,
    Effect.gen(function* () {
      const pg = yield* PgClient.PgClient
      const scope = yield* Effect.scope

      const untold = new Set<string>()
      const due = yield* Queue.sliding<void>(1)
      const tellAll = Effect.gen(function* () {
        yield* Queue.take(due)
        const topics = [...untold]
        untold.clear()
        // Nothing of it has to survive, so that nobody waits for the disk.
        yield* pg`
          with quick as materialized (select set_config('synchronous_commit', 'off', true))
          select pg_notify(${schema}, topic) from quick, unnest(${topics}::text[]) as topic`
      })
      const telling = tellAll.pipe(
        Effect.catchCause((cause) => Effect.logDebug("Nudges could not be told", cause)),
        Effect.andThen(Effect.sleep(pause)),
        Effect.forever
      )
      yield* Effect.forkScoped(telling)

      const listeners = new Map<string, Set<Effect.Effect<void>>>()
      const wake = (topic: string) => {
        const woken = topic === everything ? [...listeners.values()].flatMap((all) => [...all]) : listeners.get(topic)
        return Effect.forEach(woken ?? [], (wake) => wake, { discard: true })
      }
      const hear = Effect.gen(function* () {
        const told = yield* pg.listen(schema)
        // What was told while nobody listened.
        yield* wake(everything)
        return yield* Effect.forever(Effect.flatMap(Queue.take(told), ({ payload }) => wake(payload)))
      })
      const hearing = Effect.scoped(hear).pipe(
        Effect.catchCause((cause) => Effect.logDebug("Nudges cannot be heard", cause)),
        Effect.andThen(Effect.sleep(patience)),
        Effect.forever
      )
      const heard = yield* Effect.cached(Effect.asVoid(Effect.forkIn(hearing, scope)))

      return {
        tell: (topic) =>
          Effect.suspend(() => {
            untold.add(topic)
            return Effect.asVoid(Queue.offer(due, undefined))
          }),
        onTold: (topic, wake) =>
          Effect.gen(function* () {
            const all = listeners.get(topic) ?? new Set()
            listeners.set(topic, all)
            yield* Effect.acquireRelease(
              Effect.sync(() => all.add(wake)),
              () => Effect.sync(() => all.delete(wake))
            )
            yield* heard
          })
      }
    })
  )

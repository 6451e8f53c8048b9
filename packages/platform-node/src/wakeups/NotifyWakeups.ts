/** Wakes the processes on one PostgreSQL server with NOTIFY, on a channel with the name of the schema. */
import { PgClient } from "@effect/sql-pg"
import { WakeupTransport } from "@posthorn/core/platform/Wakeups"
import { Effect, Layer, Queue } from "effect"
import { SqlClient } from "effect/sql"
import { everything, transportOver } from "./Transport.ts"

export { everything }

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
      return yield* transportOver({
        // The notification does not have to survive a crash, so the commit does not wait for the disk.
        send: (topics) => sql`
          with quick as materialized (select set_config('synchronous_commit', 'off', true))
          select pg_notify(${schema}, topic) from quick, unnest(${topics}::text[]) as topic`,
        receive: Effect.fnUntraced(function* (wake) {
          const received = yield* pg.listen(schema)
          // Wakes all topics, because notifications sent before listening were lost.
          yield* wake(everything)
          return yield* Effect.forever(Effect.flatMap(Queue.take(received), ({ payload }) => wake(payload)))
        })
      })
    })
  )

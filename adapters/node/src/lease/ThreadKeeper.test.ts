import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import * as SuppressedAddress from "@posthorn/core/audience/suppression/SuppressedAddress"
import { DeliveryQueue } from "@posthorn/core/mail/sending/DeliveryQueue"
import * as DeliveryQueueSql from "@posthorn/core/mail/sending/DeliveryQueueSql"
import { LeaseKeeper } from "@posthorn/core/mail/sending/LeaseKeeper"
import { freshDatabase, poolOptions } from "@posthorn/core/testing/Databases"
import { crypto, secrets } from "@posthorn/core/testing/Services"
import type {} from "@posthorn/core/testing/template"
import { Duration, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { eventually } from "../testing/Program.ts"
import * as ThreadKeeper from "./ThreadKeeper.ts"

const server = inject("postgres")
const worker = "019a0000-0000-7000-8000-000000000001"
const lease = Duration.seconds(30)
const every = Duration.millis(50)

/** A database with one worker, and a thread that tolerates a silence of two seconds. */
const database = Layer.unwrap(
  Effect.gen(function* () {
    const url = yield* server === undefined ? Effect.die(new Error("No PostgreSQL answers")) : freshDatabase(server)
    const queue = Layer.provideMerge(
      Layer.provide(DeliveryQueueSql.layer, SuppressedAddress.layer),
      Layer.orDie(PgClient.layer(poolOptions(url)))
    )
    const options = { url: Redacted.make(url), schema: "posthorn", silence: Duration.seconds(2) }
    return Layer.merge(Layer.provide(queue, [crypto, secrets]), ThreadKeeper.layer(options))
  })
)

const keep = Effect.flatMap(LeaseKeeper, (start) => start(worker, lease, every))

/** When the lease of the worker ends, and whether that time has passed. */
const row = SqlClient.SqlClient.use((sql) =>
  Effect.map(
    Effect.orDie(sql`
      select lease_until::text as until, lease_until < clock_timestamp() as over from workers where id = ${worker}`),
    ([found]) => ({ until: String(found?.["until"]), isOver: found?.["over"] === true })
  )
)

const threads = SqlClient.SqlClient.use((sql) =>
  Effect.map(
    Effect.orDie(sql`
      select 1 from pg_stat_activity where application_name = 'posthorn lease' and datname = current_database()`),
    (rows) => rows.length
  )
)

const isRenewing = Effect.gen(function* () {
  const { until } = yield* row
  yield* Effect.sleep("500 millis")
  return (yield* row).until !== until
})

const heartbeat = DeliveryQueue.use((queue) => queue.heartbeat(worker, lease))
const retire = DeliveryQueue.use((queue) => queue.retire(worker))

describe.skipIf(server === undefined)("The thread that keeps the lease", () => {
  it.live("renews it until the scope closes, and records when", () =>
    Effect.gen(function* () {
      yield* heartbeat
      yield* Effect.scoped(
        Effect.gen(function* () {
          const renewedAt = yield* keep
          const at = yield* eventually(renewedAt, Option.isSome)
          assert.isTrue(Option.exists(at, (moment) => moment <= process.hrtime.bigint()))
          assert.isTrue(yield* isRenewing)
        })
      )
      assert.isFalse(yield* isRenewing)
      yield* eventually(threads, (count) => count === 0)
    }).pipe(Effect.provide(database))
  )

  it.live("never renews an expired lease, and renews one that was registered again", () =>
    Effect.gen(function* () {
      yield* heartbeat
      yield* eventually(yield* keep, Option.isSome)
      yield* retire
      assert.isFalse(yield* isRenewing)
      assert.isTrue((yield* row).isOver)
      yield* heartbeat
      assert.isTrue(yield* isRenewing)
    }).pipe(Effect.scoped, Effect.provide(database))
  )

  it.live("continues while the event loop is blocked, and stops if that lasts too long", () =>
    Effect.gen(function* () {
      yield* heartbeat
      const renewedAt = yield* keep
      yield* eventually(renewedAt, Option.isSome)
      const heldUpAt = process.hrtime.bigint()
      yield* Effect.sync(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000))
      assert.isTrue(Option.exists(yield* renewedAt, (moment) => moment > heldUpAt))
      assert.isFalse(yield* isRenewing)
      assert.isFalse((yield* row).isOver)
    }).pipe(Effect.scoped, Effect.provide(database))
  )
})

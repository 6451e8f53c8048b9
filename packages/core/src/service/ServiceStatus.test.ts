import { assert, describe, layer } from "@effect/vitest"
import { Context, Duration, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ObjectStorage, StorageFailed } from "../content/uploads/ObjectStorage.ts"
import { databases } from "../testing/Databases.ts"
import * as Service from "./ServiceStatus.ts"

const { ServiceStatus } = Service

const status = (options: Partial<Service.Options> = {}) =>
  Effect.flatMap(
    Layer.build(
      Layer.provide(
        Service.layer,
        Layer.succeed(Service.Options, { expectsWorkers: false, mailer: undefined, ...options })
      )
    ),
    (context) => Effect.provideContext(ServiceStatus, context)
  )

const checksOf = (options: Partial<Service.Options> = {}) =>
  Effect.scoped(Effect.flatMap(status(options), ({ checks }) => checks))

describe.each(databases())("the state of the service on %s", (_, database) => {
  layer(database)((it) => {
    const heartbeat = (secondsLeft: number) =>
      SqlClient.SqlClient.use((sql) =>
        Effect.andThen(
          sql`delete from workers`,
          sql`insert into workers (id, started_at, lease_until) values ('019a0000-0000-7000-8000-000000000001',
            clock_timestamp(), clock_timestamp() + make_interval(secs => ${secondsLeft}))`
        )
      )

    it.effect("a process without loops needs only a migrated database that responds", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* checksOf(), {
          database: "ok",
          migrations: "ok",
          storage: "skipped",
          workers: "skipped",
          mailer: "skipped",
          eventLoop: "skipped"
        })
      })
    )

    it.effect("frequent requests query the database at most once a second", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { checks } = yield* status({ expectsWorkers: true })
          const workers = Effect.map(checks, (found) => found.workers)
          yield* heartbeat(30)
          assert.strictEqual(yield* workers, "ok")
          yield* sql`delete from workers`
          const answers = yield* Effect.replicateEffect(workers, 100)
          assert.deepStrictEqual([...new Set(answers)], ["ok"])
          yield* TestClock.adjust("1 second")
          assert.strictEqual(yield* workers, "failed")
        })
      )
    )

    it.effect("a process with loops needs a heartbeat within a minute", () =>
      Effect.gen(function* () {
        const workers = Effect.map(checksOf({ expectsWorkers: true }), (checks) => checks.workers)
        yield* SqlClient.SqlClient.use((sql) => sql`delete from workers`)
        assert.strictEqual(yield* workers, "failed")
        yield* heartbeat(30)
        assert.strictEqual(yield* workers, "ok")
        yield* heartbeat(-25)
        assert.strictEqual(yield* workers, "ok")
        yield* heartbeat(-35)
        assert.strictEqual(yield* workers, "failed")
      })
    )

    it.effect("the last known state of the mailer is reported without a new request", () =>
      Effect.gen(function* () {
        for (const [state, check] of [
          ["ok", "ok"],
          ["failed", "failed"],
          ["unknown", "skipped"]
        ] as const) {
          assert.strictEqual((yield* checksOf({ mailer: Effect.succeed(state) })).mailer, check)
        }
      })
    )

    it.effect("a configured storage of uploads is checked at most every ten seconds", () =>
      Effect.scoped(
        Effect.gen(function* () {
          let looks = 0
          let answer: Effect.Effect<void, StorageFailed> = Effect.void
          const check = Effect.suspend(() => {
            looks++
            return answer
          })
          const none = Context.get(Context.empty(), ObjectStorage)
          const { checks } = yield* Effect.provideService(status(), ObjectStorage, { ...none, kind: "s3", check })
          const storage = Effect.map(checks, (found) => found.storage)
          assert.strictEqual(yield* storage, "ok")
          answer = Effect.fail(new StorageFailed({ cause: "down" }))
          assert.deepStrictEqual([yield* storage, looks], ["ok", 1])
          // The wall clock is set back. The cached result still expires.
          yield* TestClock.setTime(-3_600_000)
          yield* TestClock.adjust("10 seconds")
          assert.deepStrictEqual([yield* storage, looks], ["failed", 2])
          yield* TestClock.adjust("10 seconds")
          answer = Effect.never
          const asked = yield* Effect.forkChild(storage)
          yield* Effect.yieldNow
          yield* TestClock.adjust("3 seconds")
          assert.deepStrictEqual([yield* Fiber.join(asked), looks], ["failed", 3])
        })
      )
    )

    it.effect("a missing migration is found", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const undone = sql.withTransaction(
          Effect.andThen(
            sql`delete from migrations where migration_id = 1`,
            Effect.flatMap(checksOf(), (checks) => Effect.fail(checks))
          )
        )
        assert.include(yield* Effect.flip(undone), { database: "ok", migrations: "failed" })
      })
    )

    it.effect("the uptime grows, and draining is permanent", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { drain, isDraining, uptime } = yield* status()
          yield* TestClock.adjust("90 seconds")
          assert.strictEqual(Duration.toSeconds(yield* uptime), 90)
          assert.isFalse(yield* isDraining)
          yield* drain
          assert.isTrue(yield* isDraining)
        })
      )
    )
  })
})

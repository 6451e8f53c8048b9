/** A migration of a table that another transaction uses. */
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { freshDatabase, sessionOptions } from "../../testing/Databases.ts"
import type {} from "../../testing/template.ts"
import * as Migrations from "./index.ts"

const server = inject("postgres")
const database = Layer.unwrap(
  Effect.map(server === undefined ? Effect.die(new Error("No PostgreSQL answers")) : freshDatabase(server), (url) =>
    Layer.orDie(PgClient.layer(sessionOptions(url)))
  )
)

it.live.skipIf(server === undefined)(
  "waits shortly for a table that is in use, so that others can use it meanwhile",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table busy (n int)`
      const widen = SqlClient.SqlClient.use((sql) => sql`alter table busy add column m int`)
      const later = { ...Migrations.migrations, "9000_widen": widen }

      const [held, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const read = sql`select count(*) from busy`
      const long = sql.withTransaction(
        read.pipe(Effect.andThen(Deferred.succeed(held, undefined)), Effect.andThen(Deferred.await(released)))
      )
      const reader = yield* Effect.forkChild(long)
      yield* Deferred.await(held)

      const patience = Duration.millis(300)
      const migrating = yield* Effect.forkChild(
        Effect.provideService(Migrations.migrateTo(later), Migrations.LockPatience, patience)
      )
      const waiting = sql`
      select 1 from pg_locks where relation = 'busy'::regclass and not granted`
      yield* Effect.repeat(waiting, { until: (rows) => rows.length > 0 })
      // It stands behind the migration, and passes when that gives up.
      assert.isTrue(Option.isSome(yield* Effect.timeoutOption(read, "10 seconds")))
      assert.isUndefined(migrating.pollUnsafe())

      yield* Deferred.succeed(released, undefined)
      yield* Fiber.join(reader)
      yield* Fiber.join(migrating)
      assert.deepStrictEqual(yield* sql`select name from migrations where migration_id = 9000`, [{ name: "widen" }])
      yield* sql`select m from busy`
    }).pipe(Effect.provide(database))
)

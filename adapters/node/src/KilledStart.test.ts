/** Starts that are killed before they are ready, and programs older than their database (fault matrix F26, F27). */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import { newFolder } from "@posthorn/core/testing/DataFolder"
import type {} from "@posthorn/core/testing/template"
import { Deferred, Effect, Fiber, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { call } from "./testing/ApiCall.ts"
import { eventually, readiness, start } from "./testing/Program.ts"

const Line = Schema.Struct({ url: Schema.String })

const settings = {
  POSTHORN_PORT: "0",
  POSTHORN_SECRET: "0123456789abcdef0123456789abcdef",
  POSTHORN_SMTP_URL: "smtp://user:hunter22@127.0.0.1:1"
}

const begin = (env: Record<string, string>) => start(["serve", "--json"], { ...settings, ...env })

/** Ready means that every table exists. */
const isReady = Effect.fnUntraced(function* (env: Record<string, string>) {
  const { url } = yield* readiness(yield* begin(env), Line)
  assert.strictEqual((yield* call(`${url}/ready`)).status, 200)
})

const timeout = 180_000

it.live(
  "a first start that is killed while it creates the database leaves no partial database in the folder",
  () =>
    Effect.gen(function* () {
      const folder = newFolder()
      const killed = yield* begin({ POSTHORN_DATA_DIR: folder })
      yield* eventually(
        Effect.sync(() => existsSync(join(folder, "unfinished"))),
        Boolean
      )
      yield* killed.end("SIGKILL")
      assert.isFalse(existsSync(join(folder, "database")))
      yield* isReady({ POSTHORN_DATA_DIR: folder })
      assert.isFalse(existsSync(join(folder, "unfinished")))
    }),
  timeout
)

const server = inject("postgres")

const query = (url: string, statement: string) =>
  SqlClient.SqlClient.use((sql) => sql.unsafe(statement)).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url) })),
    Effect.orDie
  )

describe.runIf(server !== undefined)("the schema in PostgreSQL", () => {
  const database = Effect.suspend(() => (server === undefined ? Effect.die("no server") : freshDatabase(server)))

  it.live(
    "has no part of a migration that was killed",
    () =>
      Effect.gen(function* () {
        const url = yield* database
        yield* query(url, "drop schema posthorn cascade")
        yield* query(url, "create schema posthorn")
        // The migration stops at this table: another uncommitted transaction has created it.
        const isOver = yield* Deferred.make<void>()
        const holding = yield* Effect.forkChild(
          SqlClient.SqlClient.use((sql) =>
            Effect.flip(
              sql.withTransaction(
                Effect.gen(function* () {
                  yield* sql.unsafe("create table posthorn.templates (id uuid)")
                  yield* Deferred.await(isOver)
                  return yield* Effect.fail("rolled back")
                })
              )
            )
          ).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url) })))
        )
        const killed = yield* begin({ POSTHORN_DATABASE_URL: url })
        const waiting = `select 1 from pg_stat_activity
                         where datname = current_database() and wait_event_type = 'Lock'`
        yield* eventually(query(url, waiting), (rows) => rows.length > 0)
        yield* killed.end("SIGKILL")
        yield* Deferred.succeed(isOver, undefined)
        yield* Fiber.join(holding)
        const tables = "select tablename from pg_tables where schemaname = 'posthorn'"
        assert.deepStrictEqual(yield* eventually(query(url, tables), (rows) => rows.length === 0), [])
        yield* isReady({ POSTHORN_DATABASE_URL: url })
      }),
    timeout
  )

  it.live(
    "is refused by an older program",
    () =>
      Effect.gen(function* () {
        const url = yield* database
        yield* query(url, "insert into posthorn.migrations (migration_id, name) values (9999, 'of_tomorrow')")
        const refused = yield* Effect.flip(readiness(yield* begin({ POSTHORN_DATABASE_URL: url }), Line))
        assert.strictEqual(refused.code, 1)
        assert.include(refused.errors, "it has 9999_of_tomorrow. Start a newer version.")
      }),
    timeout
  )
})

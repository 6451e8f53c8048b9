/** The schema of the extension pg_trgm in a database that an application shares with the service. */
import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
import { sessionOptions } from "../../testing/Databases.ts"
import trigramsOutside from "./0063_trigrams_outside.ts"
import * as Migrations from "./index.ts"

const server = inject("postgres")

const run = (url: string, statement: string) =>
  Effect.provide(
    SqlClient.SqlClient.use((sql) => sql.unsafe(statement).unprepared),
    PgClient.layer({ url: Redacted.make(url) })
  )

/** An empty database, with the actions of the application and of the service in it. */
const shared = Effect.gen(function* () {
  const name = `posthorn_test_${randomUUID().replaceAll("-", "")}`
  const { url } = server ?? { url: "" }
  yield* Effect.acquireRelease(run(url, `create database ${name}`), () =>
    Effect.orDie(run(url, `drop database ${name} with (force)`))
  )
  const own = new URL(url)
  own.pathname = `/${name}`
  const asService = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    Effect.provide(effect, PgClient.layer(sessionOptions(own.href)))
  const asHost = (statement: string) => run(own.href, statement)
  return { asHost, asService, migrate: asService(Migrations.migrate) }
})

const place = `
  select nspname from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm'`

/** Whether the search has its index. The operator class is in whatever schema has the extension. */
const hasIndex = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select from contacts where email like '%example%'`
  const [index] = yield* sql`select to_regclass('contacts_search') is not null as "isThere"`
  return index?.["isThere"]
})

describe.runIf(server !== undefined)("pg_trgm in a shared database", () => {
  const similarity = Effect.fnUntraced(function* ({ asHost, asService }: Effect.Success<typeof shared>) {
    yield* asHost("create extension if not exists pg_trgm")
    const [found] = yield* asHost("select similarity('word', 'words') > 0 as works")
    assert.deepStrictEqual(found, { works: true })
    assert.isTrue(yield* asService(hasIndex))
  })

  it.effect("is created in public, where the application finds it", () =>
    Effect.gen(function* () {
      const world = yield* shared
      yield* world.migrate
      assert.deepStrictEqual(yield* world.asHost(place), [{ nspname: "public" }])
      yield* similarity(world)
    }).pipe(TestClock.withLive)
  )

  it.effect("stays in the schema of the application", () =>
    Effect.gen(function* () {
      const world = yield* shared
      yield* world.asHost("create schema tools")
      yield* world.asHost("create extension pg_trgm schema tools")
      yield* world.migrate
      assert.deepStrictEqual(yield* world.asHost(place), [{ nspname: "tools" }])
      assert.isTrue(yield* world.asService(hasIndex))
    }).pipe(TestClock.withLive)
  )

  it.effect("moves out of our schema when an older installation is migrated", () =>
    Effect.gen(function* () {
      const world = yield* shared
      yield* world.migrate
      // The state that earlier versions left.
      yield* world.asHost("alter extension pg_trgm set schema posthorn")
      yield* world.asService(trigramsOutside)
      assert.deepStrictEqual(yield* world.asHost(place), [{ nspname: "public" }])
      yield* similarity(world)
    }).pipe(TestClock.withLive)
  )
})

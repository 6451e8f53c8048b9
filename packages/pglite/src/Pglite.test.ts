import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { PGlite } from "@electric-sql/pglite"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layer } from "./Pglite.ts"

const query = (text: string) => SqlClient.SqlClient.use((sql) => sql.unsafe(text))

it.effect("tables are created and found in the schema, and still exist when the folder is opened again", () =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "posthorn-pglite-"))
    const make = Effect.andThen(query("create schema posthorn"), query("create table things (name text)"))
    yield* Effect.provide(make, layer({ folder }))
    const where = query("select table_schema from information_schema.tables where table_name = 'things'")
    assert.deepStrictEqual(yield* Effect.provide(where, layer({ folder })), [{ table_schema: "posthorn" }])
    assert.deepStrictEqual(yield* Effect.provide(query("select name from things"), layer({ folder })), [])
  })
)

it.effect("the schema can have any name", () =>
  Effect.gen(function* () {
    const schema = 'host "app"'
    const make = Effect.andThen(query('create schema "host ""app"""'), query("create table things (name text)"))
    const found = query("select table_schema from information_schema.tables where table_name = 'things'")
    assert.deepStrictEqual(yield* Effect.provide(Effect.andThen(make, found), layer({ schema })), [
      { table_schema: schema }
    ])
  })
)

it.effect("a row may be larger than the driver's default limit", () =>
  Effect.gen(function* () {
    const size = 20 * 1024 * 1024
    const large = SqlClient.SqlClient.use((sql) => sql<{ text: string }>`select repeat('x', ${size}::int) as text`)
    const [row] = yield* Effect.provide(large, layer({}))
    assert.strictEqual(row?.text.length, size)
  })
)

it.effect("databases of one dump change neither it nor each other", () =>
  Effect.gen(function* () {
    const bytes = yield* Effect.promise(async () => {
      const made = await PGlite.create()
      await made.exec("create schema posthorn; create table posthorn.things as select 1 as n; create sequence ids")
      const dump = await made.dumpDataDir("none")
      await made.close()
      return Buffer.from(await dump.arrayBuffer())
    })
    const before = Uint8Array.from(bytes)
    const copy = layer({ dump: bytes })
    // Each writes more than one segment of the log, and is left with a setting, a transaction and other files.
    const change = Effect.forEach(
      [
        "insert into things values (2)",
        "create table others as select n, repeat('x', 1000) as text from generate_series(1, 20000) as n",
        "checkpoint",
        "drop table things",
        "select nextval('public.ids')",
        "set work_mem = '1MB'",
        "prepare one as select 1",
        "begin",
        "create table more (n integer)"
      ],
      query
    )
    const state = Effect.forEach(
      [
        "select n from things",
        "select relname from pg_class where relname in ('others', 'more')",
        "select nextval('public.ids')::integer as id",
        "show work_mem",
        "select count(*)::integer as prepared from pg_prepared_statements where name = 'one'"
      ],
      query
    )
    const unchanged = [[{ n: 1 }], [], [{ id: 1 }], [{ work_mem: "4MB" }], [{ prepared: 0 }]]
    for (let use = 0; use < 2; use++) {
      assert.deepStrictEqual(yield* Effect.provide(state, copy), unchanged)
      yield* Effect.provide(change, copy)
      assert.isTrue(bytes.equals(before))
    }
    const two = Effect.provide(Effect.andThen(change, Effect.provide(state, Layer.fresh(copy))), copy)
    assert.deepStrictEqual(yield* two, unchanged)
  })
)

it.effect("a copy that failed or loaded a library is not the next one", () =>
  Effect.gen(function* () {
    const bytes = yield* Effect.promise(async () => {
      const made = await PGlite.create()
      const dump = await made.dumpDataDir("none")
      await made.close()
      return Buffer.from(await dump.arrayBuffer())
    })
    const copy = layer({ dump: bytes })
    const modules = query("select file_name from pg_get_loaded_modules() order by 1")
    const before = yield* Effect.provide(modules, copy)
    for (const name of ["fuzzystrmatch", "utf8_and_big5"]) {
      yield* Effect.provide(Effect.ignore(query(`load '${name}'`)), copy)
      assert.deepStrictEqual(yield* Effect.provide(modules, copy), before)
    }
  })
)

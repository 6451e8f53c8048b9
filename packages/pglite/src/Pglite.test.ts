import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { PGlite } from "@electric-sql/pglite"
import { Effect } from "effect"
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
      await made.exec("create schema posthorn; create table posthorn.things as select 1 as n")
      const dump = await made.dumpDataDir("none")
      await made.close()
      return Buffer.from(await dump.arrayBuffer())
    })
    const before = Uint8Array.from(bytes)
    const change = query("insert into things values (2)")
    const drop = query("drop table things")
    yield* Effect.provide(Effect.andThen(change, drop), layer({ dump: bytes }))
    assert.isTrue(bytes.equals(before))
    assert.deepStrictEqual(yield* Effect.provide(query("select n from things"), layer({ dump: bytes })), [{ n: 1 }])
  })
)

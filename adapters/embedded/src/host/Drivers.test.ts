/** Every driver returns the same values as Effect's driver. */
import { PgClient } from "@effect/sql-pg"
import * as ContactStoreSql from "@posthorn/core/audience/contacts/ContactStoreSql"
import { contactStoreSuite } from "@posthorn/core/testing/ContactStoreSuite"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import type {} from "@posthorn/core/testing/template"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient, type SqlConnection } from "effect/sql"
import fc from "fast-check"
import pg from "pg"
import postgres from "postgres"
import { assert, describe, inject, it } from "vitest"
import { hostOf } from "./Drivers.ts"
import * as PoolSql from "./PoolSql.ts"

const server = inject("postgres")

/** The results of one statement with each driver. */
const answers = async (statement: string, params: ReadonlyArray<unknown>) => {
  const url = server?.url ?? ""
  const ask = (connection: SqlConnection.Connection) =>
    Effect.runPromise(connection.execute(statement, params, undefined))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const sql = postgres(url, { max: 1 })
  try {
    return {
      pg: await ask(hostOf(client)?.connection ?? assert.fail()),
      postgres: await sql.begin((transaction) => ask(hostOf(transaction)?.connection ?? assert.fail())),
      effect: await Effect.runPromise(
        Effect.provide(
          SqlClient.SqlClient.use((client) =>
            Effect.scoped(Effect.flatMap(client.reserve, (one) => one.execute(statement, params, undefined)))
          ),
          PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })
        )
      )
    }
  } finally {
    await client.end()
    await sql.end()
  }
}

const agree = async (statement: string, params: ReadonlyArray<unknown> = []) => {
  const { pg, postgres, effect } = await answers(statement, params)
  assert.deepStrictEqual(pg, effect)
  assert.deepStrictEqual(postgres, effect)
  return effect
}

describe.skipIf(server === undefined)("Drivers of applications", () => {
  it("read every type of the tables in the same way", async () => {
    const [row] = await agree(`
      select true as yes, 7::int2 as small, 7 as number, 7::int8 as big, 7.25::float8 as real, 7.10::numeric as exact,
        'Köln' as text, '{"a": [1, null, "x"]}'::jsonb as data, '{"a": 1}'::json as plain, null::text as nothing,
        '2026-11-20 15:04:05.123456+05:30'::timestamptz as instant, '2026-11-20'::date as day,
        '019a0000-0000-7000-8000-000000000001'::uuid as id, '\\x00ff'::bytea as bytes, count(*) as counted,
        array['a', null, 'b"\\{},'] as texts, array[1, 2] as numbers, array[]::text[] as empty,
        array['019a0000-0000-7000-8000-000000000001']::uuid[] as ids, array[true] as flags,
        array['2026-11-20 15:04:05+00']::timestamptz[] as instants`)
    assert.lengthOf(Object.keys(row ?? {}), 21)
  })

  it("write every kind of value in the same way", async () => {
    const values = [true, 7, -(2 ** 31), 2 ** 40, 1.5, 10n ** 15n, new Date("2026-11-20T15:04:05.123Z"), null, "7"]
    const params = [...values, new Uint8Array([0, 255]), ["a", null, 'b"\\,{}'], [1, 2], [true, false], []]
    await agree(
      `select ${params.map((_, at) => `$${at + 1}${[7, 8].includes(at) ? "::text" : at === 13 ? "::uuid[]" : ""} as v${at}`).join(", ")}`,
      params
    )
  })

  it("preserve any text in a list", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", '"', "\\", "{", "}", ",", " ", "ü", "NULL", "\n") })
    const lists = fc.sample(fc.array(text, { minLength: 1 }), 30)
    const params = lists.map((list) => [...list])
    const [row] = await agree(`select ${params.map((_, at) => `$${at + 1}::text[] as v${at}`).join(", ")}`, params)
    assert.deepStrictEqual(Object.values(row ?? {}), params)
  })
})

if (server !== undefined) {
  const pooled = Layer.unwrap(
    Effect.gen(function* () {
      const connectionString = yield* freshDatabase(server)
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => new pg.Pool({ connectionString, max: 4 })),
        (pool) => Effect.promise(() => pool.end())
      )
      return PoolSql.layer(pool, "posthorn")
    })
  )
  contactStoreSuite("ContactStoreSql on a pool of pg", Layer.provide(ContactStoreSql.layer, pooled))
}

/** The PostgreSQL server of the rows, and the databases on it. */
import { randomUUID } from "node:crypto"
import { connect } from "node:net"
import { PgClient } from "@effect/sql-pg"
import * as Migrations from "@posthorn/core/platform/migrations/index"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Bench } from "./Bench.ts"
import { BenchFailure } from "./BenchFailure.ts"

const usual = "postgres://postgres@127.0.0.1:5432/postgres"

/** Settings that determine durability and speed. */
const told = ["server_version", "synchronous_commit", "fsync", "full_page_writes", "shared_buffers", "max_connections"]

const isListening = (url: string) =>
  Effect.callback<boolean>((resume) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port || 5432) }, () => {
      socket.end()
      resume(Effect.succeed(true))
    })
    socket.once("error", () => resume(Effect.succeed(false)))
  })

/** The server of the tests, or one on the usual address; undefined if there is none. */
export const find: Effect.Effect<string | undefined> = Effect.gen(function* () {
  const given = process.env["POSTHORN_TEST_DATABASE_URL"]
  if (given !== undefined) return given
  return (yield* isListening(usual)) ? usual : undefined
})

const within = <A, E, R>(url: string, effect: Effect.Effect<A, E, R>) =>
  Effect.orDie(Effect.provide(effect, PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })))

export const settings = Effect.fnUntraced(function* (url: string) {
  const rows = yield* within(
    url,
    SqlClient.SqlClient.use(
      (sql) => sql`select name, current_setting(name) as value from pg_settings
      where name in ${sql.in(told)} order by name`
    )
  )
  return Object.fromEntries(rows.map(({ name, value }) => [String(name), String(value)]))
})

export const layer = (url: string) =>
  Layer.orDie(
    PgClient.layer({
      url: Redacted.make(url),
      maxConnections: 4,
      startupParameters: { search_path: "posthorn", jit: "off" }
    })
  )

/** The URL of a new, empty database on this server. It is dropped at the end. */
const emptyDatabaseOn = Effect.fnUntraced(function* (postgres: string | undefined) {
  if (postgres === undefined) return yield* new BenchFailure({ message: "no PostgreSQL server answers" })
  const name = `posthorn_bench_${randomUUID().replaceAll("-", "")}`
  const run = (statement: string) =>
    within(
      postgres,
      SqlClient.SqlClient.use((sql) => sql.unsafe(statement))
    )
  yield* Effect.acquireRelease(run(`create database ${name}`), () => run(`drop database ${name} with (force)`))
  const own = new URL(postgres)
  own.pathname = `/${name}`
  return own.href
})

/** The same with the schema of the service. */
export const freshDatabaseOn = Effect.fnUntraced(function* (postgres: string | undefined) {
  const url = yield* emptyDatabaseOn(postgres)
  yield* Effect.orDie(Effect.provide(Migrations.migrate, layer(url)))
  return url
})

/** An empty one on the server of the run. */
export const emptyDatabase = Effect.flatMap(Bench, ({ postgres }) => emptyDatabaseOn(postgres))

/** One with the schema on the server of the run. */
export const freshDatabase = Effect.flatMap(Bench, ({ postgres }) => freshDatabaseOn(postgres))

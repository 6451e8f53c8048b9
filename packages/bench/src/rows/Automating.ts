/** The setup of the workflow rows: a project with contacts, and the worker that runs its executions. */
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import * as Workflows from "../load/Workflows.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import * as Seed from "../Seed.ts"

/** An API to create workflows, and a function to start workers. No server receives the emails. */
export const stageWithoutWorker = Effect.fnUntraced(function* (row: string, environment: Server.Environment = {}) {
  const database = yield* Postgres.freshDatabase
  const services = yield* Layer.build(Postgres.layer(database))
  const sql = Context.get(services, SqlClient.SqlClient)
  const [project] = yield* Effect.provide(Seed.projects(1), Seed.core(Layer.succeedContext(services)))
  if (project === undefined) return yield* new BenchFailure({ message: "no project was created" })
  const api = yield* Server.start({ name: `${row} api`, role: "api", database, environment })
  const startWorker = Effect.provideService(
    Server.start({ name: `${row} worker`, role: "worker", database, smtp: "smtp://127.0.0.1:1" }),
    Bench,
    yield* Bench
  )
  return { services, sql, project, api, startWorker }
})

/** With one worker. The environment is that of the API. */
export const stage = Effect.fnUntraced(function* (row: string, environment: Server.Environment = {}) {
  const { startWorker, ...staged } = yield* stageWithoutWorker(row, environment)
  return { ...staged, worker: yield* startWorker }
})

/** Empties the project and creates this many contacts. */
export const readers = Effect.fnUntraced(function* (project: string, count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* Workflows.clear
  const there = yield* Effect.orDie(sql`
    select count(*)::int as count from contacts where project_id = ${project}`)
  if (there[0]?.["count"] === count) return
  yield* Effect.orDie(sql`delete from contacts where project_id = ${project}`)
  yield* Workflows.contacts(project, count)
})

/** Waits until no row of the table matches, and returns the Unix time in milliseconds. */
export const none = Effect.fnUntraced(function* (table: string, condition: string) {
  const sql = yield* SqlClient.SqlClient
  const some = Effect.orDie(sql.unsafe(`select 1 from ${table} where ${condition} limit 1`))
  while ((yield* some).length > 0) yield* Effect.sleep("20 millis")
  return Date.now()
})

/** The earliest time in a column, in Unix milliseconds. */
export const first = Effect.fnUntraced(function* (column: string, table: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* Effect.orDie(
    sql.unsafe<{ readonly at: number }>(`select extract(epoch from min(${column}))::float8 * 1000 as at from ${table}`)
  )
  return row?.at ?? Number.NaN
})

/** No execution waits for a worker. */
export const quiet = none("workflow_executions", "due_at <= now() and not frozen")

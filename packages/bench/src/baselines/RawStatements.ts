/** The least that an answer costs: its SQL statements on one connection, from a separate process, without HTTP. */
import { fileURLToPath } from "node:url"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, ManagedRuntime, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { answer } from "../processes/Answering.ts"
import * as Child from "../processes/Child.ts"
import { latencyOf } from "../Statistics.ts"

/** NaN if nothing was timed. */
const Millis = Schema.Number

export const Question = Schema.Struct({
  /** With inlined values, so that the planner sees them. */
  statements: Schema.NonEmptyArray(Schema.String),
  seconds: Schema.Finite
})
type Question = typeof Question.Type

export const Answer = Schema.Struct({
  rounds: Schema.Int,
  latency: Schema.Struct({ p50: Millis, p95: Millis, p99: Millis })
})

/** For a PostgreSQL database. */
export const start = (database: string) =>
  Child.start({ name: "raw statements", argv: [fileURLToPath(import.meta.url), database], answers: true })

const run = Effect.fnUntraced(function* ({ seconds, statements }: Question) {
  const sql = yield* SqlClient.SqlClient
  const millis: Array<number> = []
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const begun = performance.now()
    for (const statement of statements) yield* sql.unsafe(statement).unprepared
    millis.push(performance.now() - begun)
  }
  return { rounds: millis.length, latency: latencyOf(millis) } satisfies typeof Answer.Type
})

const main = (database: string) => {
  const client = PgClient.layer({
    url: Redacted.make(database),
    maxConnections: 1,
    startupParameters: { search_path: "posthorn", jit: "off" }
  })
  const runtime = ManagedRuntime.make(Layer.orDie(client))
  answer(Question, (question) => runtime.runPromise(run(question)))
}

if (import.meta.main) main(process.argv[2] ?? "")

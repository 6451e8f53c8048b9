/** What an answer must cost at least: its statements by hand, one connection, from a process of its own, without HTTP. */
import { fileURLToPath } from "node:url"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, ManagedRuntime, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { answer } from "../processes/Answering.ts"
import * as Child from "../processes/Child.ts"
import { latencyOf } from "../Statistics.ts"

/** NaN when there was nothing to time. */
const Millis = Schema.Number

export const Question = Schema.Struct({
  /** With their values in the text, so that the planner sees them. */
  statements: Schema.NonEmptyArray(Schema.String),
  seconds: Schema.Finite
})
type Question = typeof Question.Type

export const Answer = Schema.Struct({
  rounds: Schema.Int,
  latency: Schema.Struct({ p50: Millis, p95: Millis, p99: Millis })
})

/** On a database of PostgreSQL. */
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

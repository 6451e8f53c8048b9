import { join } from "node:path"
import { Effect, Schedule } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import { cpuMillis, rssMegabytes } from "../machine/ProcessTimes.ts"
import * as Postgres from "../Postgres.ts"
import * as Child from "../processes/Child.ts"
import * as Published from "../processes/Published.ts"
import * as Server from "../processes/Server.ts"
import * as Sink from "../processes/Sink.ts"
import type { Row, Run } from "../Row.ts"

/** Milliseconds after which the start has completely finished. */
const restMillis = 1_500

const ready = (url: string) =>
  Effect.tryPromise({
    try: () => fetch(`${url}/ready`),
    catch: (cause) => new BenchFailure({ message: `GET /ready: ${String(cause)}` })
  }).pipe(
    Effect.filterOrFail(
      ({ status }) => status === 200,
      ({ status }) => new BenchFailure({ message: `GET /ready: ${status}` })
    ),
    Effect.retry({ schedule: Schedule.spaced("5 millis"), times: 2_000 })
  )

/**
 * From the start of the process to the first 200 of `GET /ready`. A process without a server is ready with its
 * readiness line.
 */
const started = Effect.fnUntraced(function* (child: Pick<Child.Child, "pid" | "startedAt" | "firstLine">) {
  const line = yield* child.firstLine
  const lineMillis = performance.now() - child.startedAt
  const url = /https?:\/\/[\w.:[\]-]+/.exec(line)?.[0]
  if (url !== undefined) yield* ready(url)
  const value = performance.now() - child.startedAt
  const cpuMillisPerItem = yield* cpuMillis(child.pid)
  yield* Effect.sleep(restMillis)
  return {
    value,
    cpuMillisPerItem,
    rssMegabytes: yield* rssMegabytes(child.pid),
    more: { "first line after ms": lineMillis }
  }
})

export const row: Row = {
  id: "F6",
  title: "start to ready, and memory afterwards",
  needsPostgres: true,
  conditions: [
    "from the start of the process to the first 200 of GET /ready, on a database that is up to date",
    "the program as published, bundled; and from its sources, as in a clone",
    "CPU of the whole start; RSS 1.5 s after it, role all: API and worker in one process",
    "baseline: a Node process that prints a line and waits"
  ],
  cases: Effect.gen(function* () {
    const bench = yield* Bench
    const database = yield* Postgres.freshDatabase
    const sink = yield* Sink.start
    const dataDir = join(bench.folder, "F6")
    const program = yield* bench.program

    const dev: Run = () =>
      Effect.scoped(
        Effect.flatMap(
          Child.start({
            name: "F6 dev",
            argv: [program, "dev", "--port", "0", "--json", "--data-dir", dataDir],
            environment: { POSTHORN_LOG_LEVEL: "warn" }
          }),
          started
        )
      )
    const serve =
      (program: Bench["Service"]["program"]): Run =>
      () =>
        Effect.scoped(
          Effect.provideService(
            Effect.flatMap(Server.start({ name: "F6 all", role: "all", database, smtp: sink.url }), started),
            Bench,
            { ...bench, program }
          )
        )
    const bare: Run = () =>
      Effect.scoped(
        Effect.flatMap(
          Child.start({ name: "bare Node", argv: ["-e", "console.log('up'); setInterval(() => {}, 1000)"] }),
          started
        )
      )
    return [
      { name: "dev, warm", unit: "ms", target: "<= 3 s", posthorn: dev, baselines: { "bare Node": bare } },
      {
        name: "serve on PostgreSQL",
        unit: "ms",
        target: "<= 1.5 s; <= 150 MB",
        posthorn: serve(bench.program),
        baselines: { "bare Node": bare }
      },
      {
        name: "serve on PostgreSQL, from sources",
        unit: "ms",
        target: "<= 1.5 s",
        posthorn: serve(Effect.succeed(Published.sources)),
        baselines: { "bare Node": bare }
      }
    ]
  })
}

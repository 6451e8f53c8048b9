import { Effect, Layer } from "effect"
import { Bench } from "../Bench.ts"
import * as Postgres from "../Postgres.ts"
import * as Sink from "../processes/Sink.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { accept, patienceSeconds, rateOf, requireOnce, setDisabled, settled } from "./Draining.ts"
import * as WorkerProcesses from "./WorkerProcesses.ts"

const delayMillis = 100
/** So few that a worker mostly waits for the peer, and four of them do not saturate the machine. */
const connections = 5

export const row: Row = {
  id: "S1",
  title: `more worker processes, against a peer that answers after ${delayMillis} ms`,
  needsPostgres: true,
  conditions: [
    `each worker is a process with a pool of ${connections} connections, all on one PostgreSQL and one machine`,
    "mails/s of each worker, from the first to the last 250; each worker sends a tenth of the mails of other rows; each arrived once",
    "baseline: one worker"
  ],
  cases: Effect.gen(function* () {
    const bench = yield* Bench
    const database = yield* Postgres.freshDatabase
    const services = yield* Layer.build(Seed.core(Postgres.layer(database)))
    const senders = yield* Effect.provideContext(Seed.senders(1), services)
    const sink = yield* Sink.startSlow(delayMillis)
    const smtp = `${sink.url}&pool=${connections}`

    const drained =
      (workers: number): Run =>
      ({ mails }) =>
        Effect.gen(function* () {
          const all = Math.ceil(mails / 10) * workers
          yield* setDisabled(senders, true)
          yield* accept(senders, all)
          yield* WorkerProcesses.start("S1", workers, { database, smtp })
          const before = yield* sink.count
          yield* setDisabled(senders, false)
          const arrivals = yield* sink.arrivals(before, all, patienceSeconds)
          yield* settled
          yield* requireOnce(arrivals)
          return { value: rateOf(arrivals) / workers }
        }).pipe(Effect.provideContext(services), Effect.provideService(Bench, bench))

    return WorkerProcesses.cases(drained, { unit: "mails/s", target: ">= 0.8 until a core is full" })
  })
}

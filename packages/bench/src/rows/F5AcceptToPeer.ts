import { Effect } from "effect"
import * as NodemailerPool from "../baselines/NodemailerPool.ts"
import * as PacedLoad from "../load/PacedLoad.ts"
import { memoryOf, withCpuOf } from "../machine/ProcessTimes.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import * as Sink from "../processes/Sink.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { pacedSends, untilThere } from "./PacedSends.ts"

type Role = Server.Options["role"]

const projects = 8
const perSecond = 50
const patienceSeconds = 60

export const row: Row = {
  id: "F5",
  title: `accept -> 250 of the peer at ${perSecond}/s`,
  needsPostgres: true,
  conditions: [
    `${projects} projects, ${perSecond} requests a second, independent of the answers`,
    "one process with role all; and an api process with a separate worker, which it wakes through the database",
    "CPU and memory of the process that answers",
    "from the start of the request to the moment before the 250, by the clocks of load and sink on one machine",
    "baseline: mails handed to nodemailer's pool at the same rate, until the same moment"
  ],
  cases: Effect.gen(function* () {
    const sink = yield* Sink.start
    const load = yield* PacedLoad.start
    const pool = yield* NodemailerPool.start

    /** The first role is the one that answers requests. */
    const through = Effect.fnUntraced(function* (first: Role, ...others: ReadonlyArray<Role>) {
      const database = yield* Postgres.freshDatabase
      const senders = yield* Effect.provide(Seed.senders(projects), Seed.core(Postgres.layer(database)))
      const start = (role: Role) => Server.start({ name: `F5 ${role}`, role, database, smtp: sink.url })
      const server = yield* start(first)
      yield* Effect.forEach(others, start)
      const send: Run = ({ seconds }) =>
        Effect.gen(function* () {
          const pace = { url: server.url, senders, perSecond, seconds }
          const { result, cpuMillis } = yield* withCpuOf(server.pid, pacedSends(load, sink, pace))
          return {
            value: result.there.p50,
            latency: result.there,
            cpuMillisPerItem: cpuMillis === undefined ? undefined : cpuMillis / result.count,
            ...(yield* memoryOf(server.pid))
          }
        })
      return send
    })

    const handOver: Run = ({ seconds }) =>
      Effect.gen(function* () {
        const before = yield* sink.count
        const mails = Math.round(perSecond * seconds)
        const question = { port: sink.port, key: "KeyObject", mails, perSecond }
        const { result, cpuMillis } = yield* withCpuOf(pool.pid, pool.ask(question, NodemailerPool.Answer))
        const latency = untilThere(result.mails, yield* sink.arrivals(before, mails, patienceSeconds))
        return {
          value: latency.p50,
          latency,
          cpuMillisPerItem: cpuMillis === undefined ? undefined : cpuMillis / mails
        }
      })

    const measured = { unit: "ms" as const, target: "p50 <= 100 ms, p99 <= 500 ms" }
    const baselines = { "nodemailer's pool": handOver }
    return [
      { ...measured, name: "median", posthorn: yield* through("all"), baselines },
      { ...measured, name: "median, separate api and worker", posthorn: yield* through("api", "worker"), baselines }
    ]
  })
}

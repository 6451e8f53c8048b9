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

const projects = 8
const perSecond = 50
const patienceSeconds = 60

export const row: Row = {
  id: "F5",
  title: `accept -> 250 of the peer at ${perSecond}/s`,
  needsPostgres: true,
  conditions: [
    `${projects} projects, ${perSecond} requests a second whatever the answers take, one process with role all`,
    "from the start of the request to the moment before the 250, by the clocks of load and sink on one machine",
    "baseline: mails handed to nodemailer's pool at the same rate, until the same moment"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const senders = yield* Effect.provide(Seed.senders(projects), Seed.core(Postgres.layer(database)))
    const sink = yield* Sink.start
    const server = yield* Server.start({ name: "F5 all", role: "all", database, smtp: sink.url })
    const load = yield* PacedLoad.start
    const pool = yield* NodemailerPool.start

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

    return [
      {
        name: "median",
        unit: "ms",
        target: "p50 <= 100 ms, p99 <= 500 ms",
        posthorn: send,
        baselines: { "nodemailer's pool": handOver }
      }
    ]
  })
}

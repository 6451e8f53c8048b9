import { SentEmails } from "@posthorn/contract/v1/Send"
import { Effect, Schema } from "effect"
import { BenchFailure } from "../BenchFailure.ts"
import * as NodemailerPool from "../baselines/NodemailerPool.ts"
import * as PacedLoad from "../load/PacedLoad.ts"
import { rssMegabytes, withCpuOf } from "../machine/ProcessTimes.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import * as Sink from "../processes/Sink.ts"
import type { Row, Run, Sample } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { latencyOf } from "../Statistics.ts"
import { sendBody } from "./F1SendAccepted.ts"

const projects = 8
const perSecond = 50
const patienceSeconds = 60

const sentEmails = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.toEncoded(SentEmails)))

interface Begun {
  readonly messageId: string
  readonly startedAt: number
}

const latencies = (begun: ReadonlyArray<Begun>, arrivals: ReadonlyArray<Sink.Arrival>): Sample => {
  const arrivedAt = new Map(arrivals.map(({ at, messageId }) => [messageId, at]))
  const latency = latencyOf(
    begun.map(({ messageId, startedAt }) => (arrivedAt.get(messageId) ?? Number.NaN) - startedAt)
  )
  return { value: latency.p50, latency }
}

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

    const accepted = Effect.fnUntraced(function* (status: number, body: string) {
      if (status !== 200) return yield* new BenchFailure({ message: `POST /v1/send answered ${status}: ${body}` })
      const { data } = yield* Effect.orDie(sentEmails(body))
      return data.emails[0]?.email ?? ""
    })

    const send: Run = ({ seconds }) =>
      Effect.gen(function* () {
        const before = yield* sink.count
        const { result, cpuMillis } = yield* withCpuOf(
          server.pid,
          Effect.gen(function* () {
            const question = { url: `${server.url}/v1/send`, body: sendBody, projects: senders, perSecond, seconds }
            const { requests } = yield* load.ask(question, PacedLoad.Answer)
            return { requests, arrivals: yield* sink.arrivals(before, requests.length, patienceSeconds) }
          })
        )
        const { arrivals, requests } = result
        const begun = yield* Effect.forEach(requests, ({ body, startedAt, status }, n) =>
          Effect.map(accepted(status, body), (id) => {
            const domain = senders[n % senders.length]?.from.split("@")[1] ?? ""
            return { messageId: `${id}@${domain}`, startedAt }
          })
        )
        return {
          ...latencies(begun, arrivals),
          cpuMillisPerItem: cpuMillis === undefined ? undefined : cpuMillis / requests.length,
          rssMegabytes: yield* rssMegabytes(server.pid)
        }
      })

    const handOver: Run = ({ seconds }) =>
      Effect.gen(function* () {
        const before = yield* sink.count
        const mails = Math.round(perSecond * seconds)
        const question = { port: sink.port, key: "KeyObject", mails, perSecond }
        const { result, cpuMillis } = yield* withCpuOf(pool.pid, pool.ask(question, NodemailerPool.Answer))
        return {
          ...latencies(result.mails, yield* sink.arrivals(before, mails, patienceSeconds)),
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

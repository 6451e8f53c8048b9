import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { BenchFailure } from "../BenchFailure.ts"
import * as PacedLoad from "../load/PacedLoad.ts"
import { memoryOf, withCpuOf } from "../machine/ProcessTimes.ts"
import * as Postgres from "../Postgres.ts"
import * as Api from "../processes/Api.ts"
import * as Server from "../processes/Server.ts"
import * as Sink from "../processes/Sink.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { latencyOf } from "../Statistics.ts"
import { pacedSends } from "./PacedSends.ts"

const projects = 8
/** Below the limit of 300 posts a minute for a form, which is active. */
const perSecond = 30
const patienceSeconds = 60

const body = JSON.stringify({ email: "reader-$n@example.com", consent: true })

export const row: Row = {
  id: "P8",
  title: `form post -> 250 of the confirmation mail at ${perSecond}/s`,
  needsPostgres: true,
  conditions: [
    `${projects} forms of as many projects, ${perSecond} posts a second, independent of the answers, each from another network`,
    "role all; POSTHORN_OPT_IN_MAILS_PER_HOUR=0 and forms without a ticket (settings for this row)",
    "from the start of the request to the moment before the 250, by the clocks of load and sink on one machine",
    "baseline: POST /v1/send at the same rate until the same moment, as in row F5"
  ],
  cases: Effect.gen(function* () {
    const sink = yield* Sink.start
    const load = yield* PacedLoad.start
    const database = yield* Postgres.freshDatabase
    const senders = yield* Effect.provide(Seed.senders(projects), Seed.core(Postgres.layer(database)))
    const environment = { POSTHORN_OPT_IN_MAILS_PER_HOUR: "0", POSTHORN_TRUST_PROXY: "1" }
    const server = yield* Server.start({ name: "P8 all", role: "all", database, smtp: sink.url, environment })
    const sql = Context.get(yield* Layer.build(Postgres.layer(database)), SqlClient.SqlClient)
    const forms = yield* Effect.forEach(senders, ({ from, key }) =>
      Effect.gen(function* () {
        const doubleOptIn = { mode: "public", from }
        yield* Api.ask(
          server,
          key,
          { method: "PATCH", path: "/settings/audience", status: 200, body: { doubleOptIn } },
          Schema.Unknown
        )
        const body = { name: "Newsletter", requireTicket: false }
        const request = { method: "POST", path: "/forms", status: 201, body }
        const { publicId } = yield* Api.ask(server, key, request, Schema.Struct({ publicId: Schema.String }))
        return { key, form: publicId }
      })
    )

    const posted: Run = ({ seconds }) =>
      Effect.gen(function* () {
        const before = yield* sink.count
        const question = { url: `${server.url}/f/$form`, body, projects: forms, perSecond, seconds, fromNetworks: true }
        const { result, cpuMillis } = yield* withCpuOf(server.pid, load.ask(question, PacedLoad.Answer))
        const refused = result.requests.find(({ status }) => status !== 200)
        if (refused !== undefined) {
          return yield* new BenchFailure({ message: `POST /f answered ${refused.status}: ${refused.body}` })
        }
        const arrivals = yield* sink.arrivals(before, result.requests.length, patienceSeconds)
        const arrivedAt = new Map(arrivals.map(({ messageId, at }) => [messageId.split("@")[0] ?? "", at]))
        const mails = yield* Effect.orDie(sql<{ readonly id: string; readonly to: string }>`
          select id, to_email as "to" from emails where id = any(${[...arrivedAt.keys()]}::uuid[])`)
        const there = new Map(mails.map(({ id, to }) => [to, arrivedAt.get(id)]))
        const latency = latencyOf(
          result.requests.map(
            ({ number, startedAt }) => (there.get(`reader-${number}@example.com`) ?? Number.NaN) - startedAt
          )
        )
        return {
          value: latency.p50,
          latency,
          cpuMillisPerItem: cpuMillis === undefined ? undefined : cpuMillis / result.requests.length,
          ...(yield* memoryOf(server.pid))
        }
      })

    const sent: Run = ({ seconds }) =>
      Effect.map(pacedSends(load, sink, { url: server.url, senders, perSecond, seconds }), ({ there }) => ({
        value: there.p50,
        latency: there
      }))

    return [
      {
        name: "median",
        unit: "ms",
        target: "p50 <= 200 ms",
        posthorn: posted,
        baselines: { "POST /v1/send": sent }
      }
    ]
  })
}

import { Effect } from "effect"
import { BenchFailure } from "../BenchFailure.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as IdleClients from "../load/IdleClients.ts"
import * as Submissions from "../load/Submissions.ts"
import { memoryOf, withCpuOf } from "../machine/ProcessTimes.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import { submissionPort } from "../processes/SubmissionPort.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { projects, sendBody } from "./F1SendAccepted.ts"
import { requests } from "./Loads.ts"

const connections = 20
const idle = 1_000

export const row: Row = {
  id: "F10",
  title: "mail submitted by SMTP",
  needsPostgres: true,
  conditions: [
    `${connections} connections, each with the login of another project and one command at a time; role api, no TLS`,
    "one new recipient, HTML of 3 kB and its text, a Message-ID of the client; from MAIL to the 250, which is durable",
    `at most ${2 * idle} clients and ${idle * 60} requests a minute of a project; other limits at their defaults`,
    "baseline: F1 on the same server, on 32 connections",
    `also: the requests of F7 on the same server while ${idle} idle clients are logged in`
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const senders = yield* Effect.provide(Seed.senders(projects), Seed.core(Postgres.layer(database)))
    const environment = {
      POSTHORN_SUBMISSION_PORT: "0",
      POSTHORN_SUBMISSION_MAX_CLIENTS: String(2 * idle),
      POSTHORN_RATE_LIMIT_PER_MINUTE: String(idle * 60)
    }
    const server = yield* Server.start({ name: "F10 api", role: "api", database, environment })
    const port = yield* submissionPort(server.url)
    const clients = yield* Submissions.start
    const load = yield* HttpLoad.start

    const submitted: Run = ({ seconds }) =>
      Effect.gen(function* () {
        const question = { port, projects: senders, connections, seconds }
        const { result, cpuMillis } = yield* withCpuOf(server.pid, clients.ask(question, Submissions.Answer))
        return {
          value: result.requests / result.seconds,
          latency: result.latency,
          cpuMillisPerItem: cpuMillis === undefined ? undefined : cpuMillis / result.requests,
          ...(yield* memoryOf(server.pid))
        }
      })

    const get = { method: "GET", path: "/contacts/not-an-id", status: 404 } as const
    const answered = requests(server, load, { ...get, url: server.url, projects: senders })
    const [{ key }] = senders
    const besideIdle: Run = (effort) =>
      Effect.gen(function* () {
        const stillThere = yield* IdleClients.hold(port, key, idle)
        const sample = yield* answered(effort)
        const left = yield* stillThere
        if (left < idle) return yield* new BenchFailure({ message: `${idle - left} idle clients were disconnected` })
        return sample
      })

    const send = { url: server.url, method: "POST", path: "/v1/send", body: sendBody, status: 200 } as const
    return [
      {
        name: "accepted",
        unit: "mails/s",
        target: ">= 0.5; >= 500/s",
        posthorn: submitted,
        baselines: { F1: requests(server, load, { ...send, projects: senders }) }
      },
      {
        name: `requests beside ${idle} idle clients`,
        unit: "requests/s",
        target: ">= 0.95",
        posthorn: besideIdle,
        baselines: { "no idle clients": answered }
      }
    ]
  })
}

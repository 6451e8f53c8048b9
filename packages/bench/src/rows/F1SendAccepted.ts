import { Array, Effect } from "effect"
import * as RawTransactions from "../baselines/RawTransactions.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type { Row } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { requests, transactions } from "./Loads.ts"

/** So many that each project stays below the limit of 1,000 requests a minute, which is active. */
export const projects = 64

/** One recipient, who is not a contact yet. */
export const sendBody = JSON.stringify({
  to: "reader-$n@example.com",
  template: "$template",
  data: { name: "Ada", plan: "pro" }
})

export const row: Row = {
  id: "F1",
  title: "POST /v1/send accepted, PostgreSQL",
  needsPostgres: true,
  conditions: [
    `${projects} projects in turn, rate limit at its default`,
    "one new recipient, a stored template of 3 kB, 32 connections, role api",
    "baseline: begin, upsert contact, insert content, insert mail, commit, into the same tables, 32 connections"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const senders = yield* Effect.provide(Seed.senders(projects), Seed.core(Postgres.layer(database)))
    const server = yield* Server.start({ name: "F1 api", role: "api", database })
    const load = yield* HttpLoad.start
    const raw = yield* RawTransactions.start(database)
    const send = { url: server.url, method: "POST", path: "/v1/send", body: sendBody, status: 200 } as const
    return [
      {
        name: "accepted",
        unit: "requests/s",
        target: ">= 0.5; >= 800/s; p99 <= 100 ms",
        posthorn: requests(server, load, { ...send, projects: senders }),
        baselines: {
          "raw transaction": transactions(raw, { transaction: "send", projects: Array.map(senders, ({ id }) => id) })
        }
      }
    ]
  })
}

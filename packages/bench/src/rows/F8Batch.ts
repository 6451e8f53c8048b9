import { Array, Effect } from "effect"
import * as RawTransactions from "../baselines/RawTransactions.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type { Row } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { sendBody, projects as sendingProjects } from "./F1SendAccepted.ts"
import { itemRequests, requests, transactions } from "./Loads.ts"

const items = 500
const connections = 4

/** Each item is to a new contact, and has its own text. */
const body = JSON.stringify({
  defaults: { template: "$template", data: { plan: "pro" } },
  emails: Array.makeBy(items, (n) => ({ to: `reader-$n-${n}@example.com`, data: { name: `Ada ${n}` } }))
})

export const row: Row = {
  id: "F8",
  title: `POST /v1/batch accepted, ${items} items`,
  needsPostgres: true,
  conditions: [
    `${sendingProjects} projects in turn, ${connections} connections, role api; rate limit at its default`,
    "each item: one new recipient, a stored template of 3 kB, its own text",
    `baselines: the same rows by unnest, a statement for each table, in a transaction of ${items} on ${connections} connections; F1 on 32`,
    "latency is that of a request, CPU that of a mail"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const senders = yield* Effect.provide(Seed.senders(sendingProjects), Seed.core(Postgres.layer(database)))
    const server = yield* Server.start({ name: "F8 api", role: "api", database })
    const load = yield* HttpLoad.start
    const raw = yield* RawTransactions.start(database)
    const post = { url: server.url, method: "POST", projects: senders, status: 200 } as const
    const projects = Array.map(senders, ({ id }) => id)
    return [
      {
        name: "accepted",
        unit: "mails/s",
        target: ">= 0.3; >= 4 x F1; <= 0.25 ms CPU; p99 <= 1 s",
        posthorn: itemRequests(server, load, { ...post, path: "/v1/batch", body }, { connections, items }),
        baselines: {
          "raw transaction": transactions(raw, { transaction: "batch", projects, items, connections }),
          F1: requests(server, load, { ...post, path: "/v1/send", body: sendBody })
        }
      }
    ]
  })
}

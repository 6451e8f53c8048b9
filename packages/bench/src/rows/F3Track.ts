import { Array, Effect } from "effect"
import * as RawTransactions from "../baselines/RawTransactions.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type { Row } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { requests, transactions } from "./Loads.ts"

const count = 128

const bodyFor = (email: string) => JSON.stringify({ email, event: "order.placed", data: { plan: "pro", total: 42 } })

export const row: Row = {
  id: "F3",
  title: "POST /v1/track, PostgreSQL",
  needsPostgres: true,
  conditions: [
    // All calls come from one address and many are about one contact, which the limits of the public key would refuse.
    `${count} projects in turn, POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row)`,
    "32 connections, role api; the same contact: one for each project",
    "baseline: begin, upsert contact, insert event, commit, into the same tables, 32 connections"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const projects = yield* Effect.provide(Seed.projects(count), Seed.core(Postgres.layer(database)))
    const ids = Array.map(projects, ({ id }) => id)
    const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
    const server = yield* Server.start({ name: "F3 api", role: "api", database, environment })
    const load = yield* HttpLoad.start
    const raw = yield* RawTransactions.start(database)
    // Events come from browsers, with the public key.
    const callers = Array.map(projects, ({ publicKey }) => ({ key: publicKey }))
    const track = { url: server.url, method: "POST", path: "/v1/track", status: 200, projects: callers } as const
    return [
      {
        name: "new contact",
        unit: "requests/s",
        target: ">= 0.5; >= 1,200/s; <= 0.8 ms CPU",
        posthorn: requests(server, load, { ...track, body: bodyFor("reader-$n@example.com") }),
        baselines: { "raw transaction": transactions(raw, { transaction: "track new", projects: ids }) }
      },
      {
        name: "same contact",
        unit: "requests/s",
        target: ">= 0.5; >= 1,500/s; <= 0.8 ms CPU",
        posthorn: requests(server, load, { ...track, body: bodyFor("reader@example.com") }),
        baselines: { "raw transaction": transactions(raw, { transaction: "track same", projects: ids }) }
      }
    ]
  })
}

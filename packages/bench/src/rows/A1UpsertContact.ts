import { Array, Effect } from "effect"
import * as RawTransactions from "../baselines/RawTransactions.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type { Row } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { requests, transactions } from "./Loads.ts"

/** So many that each project stays below the limit of 1,000 requests a minute, which is active. */
const count = 128

const body = JSON.stringify({ email: "reader-$n@example.com", data: { name: "Ada", plan: "pro" } })

export const row: Row = {
  id: "A1",
  title: "POST /contacts, PostgreSQL",
  needsPostgres: true,
  conditions: [
    `${count} projects in turn, rate limit at its default`,
    "32 connections, role api; a new contact each time",
    "baseline: the plain upsert, one statement, into the same table with the same indexes and triggers, 32 connections"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const projects = yield* Effect.provide(Seed.projects(count), Seed.core(Postgres.layer(database)))
    const server = yield* Server.start({ name: "A1 api", role: "api", database })
    const load = yield* HttpLoad.start
    const raw = yield* RawTransactions.start(database)
    const ids = Array.map(projects, ({ id }) => id)
    const callers = Array.map(projects, ({ key }) => ({ key }))
    const post = { url: server.url, method: "POST", path: "/contacts", body, status: 201, projects: callers } as const
    return [
      {
        name: "new contact",
        unit: "requests/s",
        target: ">= 0.5; >= 1,500/s",
        posthorn: requests(server, load, post),
        baselines: { "raw upsert": transactions(raw, { transaction: "contact new", projects: ids }) }
      }
    ]
  })
}

import { Array, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as RawTransactions from "../baselines/RawTransactions.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type { Row } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { itemRequests, transactions } from "./Loads.ts"

/** So many that each project stays below the limit of 1,000 requests a minute, which is active. */
const count = 32
const items = 100
const connections = 8

const message = (n: number) => ({
  ...{ type: "track", userId: `user-${n}`, event: "order placed", properties: { total: 42, sku: "x" } },
  messageId: `$n-${n}`
})

const body = JSON.stringify({ batch: Array.makeBy(items, message) })

export const row: Row = {
  id: "P5",
  title: "POST /ingest/v1/batch, PostgreSQL",
  needsPostgres: true,
  conditions: [
    `${count} projects in turn, ${items} messages in each request, each of another known contact, by its own id`,
    `${connections} connections, role api, rate limit at its default; every message is new`,
    "baseline: one statement that inserts as many events, on as many connections"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const projects = yield* Effect.gen(function* () {
      const projects = yield* Seed.projects(count)
      const sql = yield* SqlClient.SqlClient
      // The baseline knows one contact, which has the id of its project.
      for (const { id } of projects) {
        yield* Effect.orDie(sql`
          insert into contacts (id, project_id, email, external_id, subscribed, data, created_at, updated_at)
          select case when n = 0 then ${id}::uuid else gen_random_uuid() end, ${id}::uuid, 'user-' || n || '@example.com', 'user-' || n, true, '{}', now(), now()
          from generate_series(0, ${items - 1}::int) as n`)
      }
      return projects
    }).pipe(Effect.provide(Seed.core(Postgres.layer(database))))
    const server = yield* Server.start({ name: "P5 api", role: "api", database })
    const load = yield* HttpLoad.start
    const raw = yield* RawTransactions.start(database)
    const callers = Array.map(projects, ({ key }) => ({ key }))
    const ids = Array.map(projects, ({ id }) => id)
    const post = {
      url: server.url,
      method: "POST",
      path: "/ingest/v1/batch",
      body,
      status: 200,
      projects: callers
    } as const
    return [
      {
        name: `events by batches of ${items}`,
        unit: "events/s",
        target: ">= 0.4; >= 8,000/s",
        posthorn: itemRequests(server, load, post, { connections, items }),
        baselines: { "raw insert": transactions(raw, { transaction: "events", items, connections, projects: ids }) }
      }
    ]
  })
}

import { Effect } from "effect"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Workflows from "../load/Workflows.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type { Row } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { latency } from "./Loads.ts"

const enabled = 100
const event = "order.placed"
const body = JSON.stringify({ email: "reader-$n@example.com", event, data: { plan: "pro", total: 42 } })

const steps = [
  { type: "CONDITION", config: { field: "event.total", operator: "greaterThan", value: 10 } },
  { type: "DELAY", config: { amount: 1, unit: "days" } }
]

/** A separate server with this many enabled workflows. Each event starts one of them. */
const tracking = Effect.fnUntraced(function* (workflows: number) {
  const database = yield* Postgres.freshDatabase
  const [project] = yield* Effect.provide(Seed.projects(1), Seed.core(Postgres.layer(database)))
  const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
  const smtp = "smtp://127.0.0.1:1"
  const server = yield* Server.start({ name: `W4 with ${workflows}`, role: "all", database, environment, smtp })
  for (let n = 0; n < workflows; n++) {
    const name = n === 0 ? event : `${event}.${n}`
    yield* Workflows.create(server, project.key, { name, event: name, steps })
  }
  const load = yield* HttpLoad.start
  const question = { url: server.url, method: "POST", path: "/v1/track", status: 200, body } as const
  return latency(server, load, { ...question, projects: [{ key: project.publicKey }] })
})

export const row: Row = {
  id: "W4",
  title: `POST /v1/track beside ${enabled} enabled workflows, PostgreSQL`,
  needsPostgres: true,
  conditions: [
    "one request at a time, each with a new contact; role all: API and worker in one process",
    `${enabled} workflows, one of which each event starts: CONDITION, then DELAY; the figure is the median of a run`,
    "baseline: the same on another server and database without a workflow"
  ],
  cases: Effect.gen(function* () {
    return [
      {
        name: "latency",
        unit: "ms",
        target: "<= 1.3 x",
        posthorn: yield* tracking(enabled),
        baselines: { "without workflows": yield* tracking(0) }
      }
    ]
  })
}

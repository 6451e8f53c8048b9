import { Effect } from "effect"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Workflows from "../load/Workflows.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type { Row } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { latency } from "./Loads.ts"

const stepCount = 50

/** Of every five steps, two change the contact, one asks about it, one asks about its events, and one waits. */
const kinds: ReadonlyArray<Workflows.Step> = [
  { type: "UPDATE_CONTACT", config: { updates: { plan: "pro" } } },
  { type: "CONDITION", config: { field: "data.plan", operator: "equals", value: "pro" } },
  { type: "UPDATE_CONTACT", config: { updates: { total: "{{event.total}}" } } },
  { type: "CONDITION", config: { field: "event.order.placed", operator: "triggered" } },
  { type: "DELAY", config: { amount: 1, unit: "days" } }
]
const steps = Array.from({ length: stepCount }, (_, n) => kinds[n % kinds.length]).filter((step) => step !== undefined)

const event = "order.placed"
const body = JSON.stringify({
  contact: { email: "reader@example.com" },
  event: { name: event, data: { total: 42 } },
  script: [{ after: { amount: 1, unit: "hours" }, event: { name: event } }]
})

export const row: Row = {
  id: "W7",
  title: `a test run of ${stepCount} steps, PostgreSQL`,
  needsPostgres: true,
  conditions: [
    "one request at a time; role api",
    "ten times: two UPDATE_CONTACT, a CONDITION on data, a CONDITION on events and a DELAY; the figure is the median of a run",
    "baseline: GET /workflows/{id} of the same workflow"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const [project] = yield* Effect.provide(Seed.projects(1), Seed.core(Postgres.layer(database)))
    const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
    const server = yield* Server.start({ name: "W7", role: "api", database, environment })
    const { id } = yield* Workflows.create(server, project.key, { name: "Fifty", event, steps })
    const load = yield* HttpLoad.start
    const projects = [{ key: project.key }] as const
    const path = `/workflows/${id}`
    return [
      {
        name: "latency",
        unit: "ms",
        target: "p50 <= 150 ms",
        posthorn: latency(server, load, {
          url: server.url,
          method: "POST",
          path: `${path}/test-runs`,
          status: 200,
          body,
          projects
        }),
        baselines: {
          "the same graph, read": latency(server, load, { url: server.url, method: "GET", path, status: 200, projects })
        }
      }
    ]
  })
}

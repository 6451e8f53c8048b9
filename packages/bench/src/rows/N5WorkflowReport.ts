import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as RawStatements from "../baselines/RawStatements.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Workflows from "../load/Workflows.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type { Case, Row } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { latency, statements } from "./Loads.ts"

const stepCount = 99
const sizes = [10_000, 100_000, 1_000_000]
const days = 90

const day = { type: "DELAY", config: { amount: 1, unit: "days" } }
const isPro = { type: "CONDITION", config: { field: "data.plan", operator: "exists" } }
const steps = Array.from({ length: stepCount }, (_, n) => (n % 3 === 0 ? isPro : day))

const counters = "entered, completed, skipped, failed, dropped"
const sums = counters
  .split(", ")
  .map((name) => `sum(${name})`)
  .join(", ")

const rawSums = (project: string, workflow: string) => `
  select step_id, branch, ${sums}
  from (select step_id, branch, ${counters} from workflow_step_totals
        where project_id = '${project}' and workflow_id = '${workflow}'
        union all
        select step_id, branch, ${counters} from workflow_step_deltas
        where project_id = '${project}' and workflow_id = '${workflow}') as parts group by 1, 2`

/** This many executions that have ended, and what their report is made of; a minute of it is not added up. */
const filled = Effect.fnUntraced(function* (project: string, workflow: string, count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(sql`
    insert into workflow_executions (project_id, id, workflow_id, contact_id, nth, status, source, chain, context,
      step_execution_id, current_since, steps_taken, started_at, completed_at, created_at, updated_at)
    select ${project}::uuid, gen_random_uuid(), ${workflow}::uuid, id, n, 'COMPLETED', 'EVENT', 1, '{}',
           gen_random_uuid(), now(), ${stepCount}::int, now(), now(), now(), now()
    from contacts cross join generate_series(1, ${count / 1_000}::int) as n where project_id = ${project}`)
  const places = sql`
    select id as step_id, branch from workflow_steps
    cross join lateral (
      select unnest(case type when 'CONDITION' then array['', 'yes', 'no'] else array[''] end) as branch
    ) as branches
    where project_id = ${project} and workflow_id = ${workflow}::uuid and type <> 'TRIGGER'
    union all
    select '00000000-0000-0000-0000-000000000000'::uuid, unnest(array['', 'COMPLETED'])`
  yield* Effect.orDie(sql`
    insert into workflow_step_days (project_id, workflow_id, version, step_id, branch, day, entered, completed)
    select ${project}::uuid, ${workflow}::uuid, 1, step_id, branch, current_date - n, ${count / days}::int, ${count / days}::int
    from (${places}) as places cross join generate_series(1, ${days}::int) as n`)
  yield* Effect.orDie(sql`
    insert into workflow_step_totals (project_id, workflow_id, version, step_id, branch, entered, completed)
    select project_id, workflow_id, version, step_id, branch, sum(entered), sum(completed)
    from workflow_step_days where workflow_id = ${workflow}::uuid group by 1, 2, 3, 4, 5`)
  yield* Effect.orDie(sql`
    insert into workflow_step_deltas (project_id, workflow_id, version, step_id, branch, day, entered, completed)
    select ${project}::uuid, ${workflow}::uuid, 1, step_id, branch, current_date, 200, 200
    from (${places}) as places cross join generate_series(1, 20) as n`)
  yield* Effect.orDie(sql.unsafe("vacuum analyze workflow_step_totals, workflow_step_days, workflow_step_deltas"))
})

export const row: Row = {
  id: "N5",
  title: "the report of a workflow, PostgreSQL",
  needsPostgres: true,
  conditions: [
    `workflows of ${stepCount + 1} steps with 10,000 to 1,000,000 ended executions, ${days} days, and a minute that is not added up`,
    "one connection, one request at a time, role api, POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row)",
    "the figure is the median of a run; no job adds up meanwhile",
    "baseline: the sums of the same rows in one statement"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const [project] = yield* Effect.provide(Seed.projects(1), Seed.core(Postgres.layer(database)))
    const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
    const server = yield* Server.start({ name: "N5", role: "api", database, environment })
    const load = yield* HttpLoad.start
    const raw = yield* RawStatements.start(database)
    yield* Effect.provide(Workflows.contacts(project.id, 1_000), Postgres.layer(database))
    const cases: Array<Case> = []
    for (const size of sizes) {
      const { id } = yield* Workflows.create(server, project.key, { name: `Of ${size}`, event: `go_${size}`, steps })
      yield* Effect.provide(filled(project.id, id, size), Postgres.layer(database))
      const path = `/workflows/${id}/report`
      const get = (query: string) =>
        latency(server, load, {
          url: server.url,
          method: "GET",
          path: `${path}${query}`,
          status: 200,
          projects: [{ key: project.key }]
        })
      cases.push({
        name: `GET /workflows/{id}/report, ${size} executions`,
        unit: "ms",
        target: "<= 50 ms",
        curve: { line: "report of a workflow", size },
        posthorn: get(""),
        baselines: { "raw sums": statements(raw, [rawSums(project.id, id)]) }
      })
    }
    return cases
  })
}

import { randomUUID } from "node:crypto"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import * as ContactBulk from "@posthorn/core/audience/contacts/ContactBulk"
import { importJob } from "@posthorn/core/audience/contacts/files/ContactImportJob"
import { JobId } from "@posthorn/core/platform/jobs/Job"
import * as JobRunner from "@posthorn/core/platform/jobs/JobRunner"
import { Array, type Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { BenchFailure } from "../BenchFailure.ts"
import * as Postgres from "../Postgres.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"

/** 100,000 in a run of full length. */
export const rowsPerItem = 20
const batch = 100

const line = (n: number, prefix = "") => ({
  email: `${prefix}reader-${n}@example.com`,
  plan: "pro",
  age: n % 90,
  city: "Köln"
})

/** A file of contacts, whose addresses begin with the prefix. */
export const csvOf = (rows: number, prefix = "") => {
  const lines = Array.makeBy(rows, (n) => Object.values(line(n, prefix)).join(","))
  return new TextEncoder().encode(["email,plan,age,city", ...lines].join("\n"))
}

/** Items a second, and the CPU time of this process for each. */
const timed = Effect.fnUntraced(function* <R>(items: number, work: Effect.Effect<unknown, BenchFailure, R>) {
  const cpu = process.cpuUsage()
  const begun = performance.now()
  yield* work
  const { system, user } = process.cpuUsage(cpu)
  return {
    value: (1_000 * items) / (performance.now() - begun),
    cpuMillisPerItem: (system + user) / 1_000 / items,
    rssMegabytes: process.memoryUsage().rss / 1024 / 1024
  }
})

/** Imports a file into a new project, in this process. */
export const imported =
  (services: Context.Context<Layer.Success<ReturnType<typeof Seed.core>>>): Run =>
  ({ mails }) =>
    Effect.gen(function* () {
      const rows = mails * rowsPerItem
      const { imports } = yield* ContactBulk.make
      const project = ProjectId.make(randomUUID())
      const file = csvOf(rows)
      const work = Effect.gen(function* () {
        const { jobId } = yield* imports.queue(project, file, { inferTypes: true })
        yield* Layer.build(JobRunner.layer([importJob]))
        const job = Effect.delay(imports.find(project, JobId.make(jobId)), "10 millis")
        const { result } = yield* Effect.repeat(job, { until: ({ finishedAt }) => finishedAt !== null })
        const created = result !== null && "createdCount" in result ? result.createdCount : 0
        if (created !== rows) return yield* new BenchFailure({ message: "not all rows were imported" })
      }).pipe(Effect.catchTag(["CONFLICT", "RESOURCE_NOT_FOUND", "SEGMENT_NOT_FOUND", "VALIDATION_ERROR"], Effect.die))
      return yield* timed(rows, Effect.scoped(work))
    }).pipe(Effect.provideContext(services))

export const row: Row = {
  id: "A6",
  title: "CSV import, PostgreSQL",
  needsPostgres: true,
  conditions: [
    "a file of new contacts with four columns, 100,000 rows (--quick: 20,000), from the upload to the end of its job, in this process",
    "500 rows in each transaction",
    `baseline: the same contacts as insert ... on conflict from unnest, ${batch} in each statement`
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const services = yield* Layer.build(Seed.core(Postgres.layer(database)))

    const raw: Run = ({ mails }) =>
      Effect.gen(function* () {
        const rows = mails * rowsPerItem
        const sql = yield* SqlClient.SqlClient
        const project = randomUUID()
        const upsert = (from: number) => {
          const contacts = Array.makeBy(Math.min(batch, rows - from), (n) => line(from + n))
          const data = contacts.map(({ email: _, ...rest }) => JSON.stringify(rest))
          return sql`
            insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
            select id, ${project}::uuid, email, true, data::jsonb, now(), now()
            from unnest(${contacts.map(() => randomUUID())}::uuid[], ${contacts.map(({ email }) => email)}::text[],
                        ${data}::text[]) as given(id, email, data)
            on conflict (project_id, email) do update
              set data = contacts.data || excluded.data, updated_at = excluded.updated_at`
        }
        const starts = Array.makeBy(Math.ceil(rows / batch), (n) => n * batch)
        return yield* timed(rows, Effect.orDie(Effect.forEach(starts, upsert, { discard: true })))
      }).pipe(Effect.provideContext(services))

    return [
      {
        name: "import",
        unit: "rows/s",
        target: ">= 0.5; >= 35,000/s",
        posthorn: imported(services),
        baselines: { "raw unnest upsert": raw }
      }
    ]
  })
}

import { randomUUID } from "node:crypto"
import { ProjectId } from "@posthorn/contract/Auth"
import { ContactImport, jobs } from "@posthorn/core/contacts/ContactImport"
import { JobId } from "@posthorn/core/jobs/Job"
import * as JobRunner from "@posthorn/core/jobs/JobRunner"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import * as Bench from "./Bench.ts"
import * as Postgres from "./Postgres.ts"
import { core } from "./Seed.ts"

const rows = Number(process.argv[2] ?? 100000)
const program = Effect.gen(function* () {
  const url = yield* Postgres.freshDatabase
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const imports = yield* ContactImport
    for (let round = 0; round < 3; round++) {
      const project = ProjectId.make(randomUUID())
      let s = "email,plan,age,city\n"
      for (let i = 0; i < rows; i++) s += `user${i}@example.com,pro,${i % 90},Köln\n`
      const file = new TextEncoder().encode(s)
      // raw
      const raw = randomUUID()
      const t0 = performance.now()
      for (let at = 0; at < rows; at += 1000) {
        const n = Math.min(1000, rows - at)
        const ids = Array.from({ length: n }, () => randomUUID()),
          emails = ids.map((_, k) => `user${at + k}@example.com`),
          data = ids.map((_, k) => JSON.stringify({ plan: "pro", age: (at + k) % 90, city: "Köln" }))
        yield* sql`insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
          select id, ${raw}::uuid, email, true, data::jsonb, now(), now() from unnest(${ids}::uuid[], ${emails}::text[], ${data}::text[]) as t(id,email,data)
          on conflict (project_id, email) do update set data = contacts.data || excluded.data, updated_at = excluded.updated_at`
      }
      const t1 = performance.now()
      const cpu0 = process.cpuUsage()
      const { jobId } = yield* imports.queue(project, file, { inferTypes: true })
      const t2 = performance.now()
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Layer.build(JobRunner.layer(jobs))
          for (;;) {
            const r = yield* imports.find(project, JobId.make(jobId))
            if (r.finishedAt) {
              console.log(JSON.stringify(r.result))
              break
            }
            yield* Effect.sleep(20)
          }
        })
      )
      const t3 = performance.now()
      const cpu = process.cpuUsage(cpu0)
      console.log(
        `raw ${Math.round((rows / (t1 - t0)) * 1000)}/s; upload ${Math.round(t2 - t1)} ms; import ${Math.round((rows / (t3 - t2)) * 1000)}/s; cpu ${Math.round((cpu.user + cpu.system) / 1000)} ms; rss ${Math.round(process.memoryUsage().rss / 1e6)}`
      )
    }
  }).pipe(Effect.provide(core(Postgres.layer(url))))
})
const url = await Effect.runPromise(Postgres.find)
await Effect.runPromise(
  Effect.scoped(program).pipe(Effect.provideService(Bench.Bench, { postgres: url } as any)) as any
)

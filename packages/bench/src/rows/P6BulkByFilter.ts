import { ProjectId } from "@posthorn/contract/platform/Auth"
import * as ContactBulk from "@posthorn/core/audience/contacts/ContactBulk"
import { JobId } from "@posthorn/core/platform/jobs/Job"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import { rssMegabytes } from "../machine/ProcessTimes.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"

/** Contacts in each transaction of the baseline, as of the job. */
const step = 500

const select = {
  condition: { groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" } as const] }] }
}

export const row: Row = {
  id: "P6",
  title: "bulk unsubscribe by a filter, PostgreSQL",
  needsPostgres: true,
  conditions: [
    "--audience sets the number of contacts, all of which match; a worker of its own",
    `from the request for the job to its end, ${step} contacts with their events and records of consent in each transaction`,
    "RSS growth: the peak of the worker during the job, over its size before",
    "baseline: the same updates and inserts by hand, as many in each transaction"
  ],
  cases: Effect.gen(function* () {
    const { audienceSizes } = yield* Bench
    const contacts = audienceSizes.at(-1) ?? 0
    const database = yield* Postgres.freshDatabase
    const services = yield* Layer.build(Seed.core(Postgres.layer(database)))
    const [seeded] = yield* Effect.provideContext(Seed.projects(1), services)
    if (seeded === undefined) return yield* new BenchFailure({ message: "no project was created" })
    const project = ProjectId.make(seeded.id)
    const worker = yield* Server.start({ name: "P6 worker", role: "worker", database, smtp: "smtp://127.0.0.1:1" })

    /** All contacts are subscribed, and nothing else is there. */
    const ready = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.orDie(sql.unsafe("truncate contacts, events, consents cascade"))
      yield* Effect.orDie(sql`
        insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
        select gen_random_uuid(), ${project}::uuid, 'reader-' || n || '@example.com', true, '{"plan": "pro"}', now(), now()
        from generate_series(1, ${contacts}::int) as n`)
      yield* Effect.orDie(sql.unsafe("vacuum analyze contacts"))
      return sql
    })

    const rateSince = (begun: number) => (1000 * contacts) / (performance.now() - begun)

    const unsubscribed: Run = () =>
      Effect.gen(function* () {
        yield* ready
        const bulk = yield* ContactBulk.make
        const change = { operation: "unsubscribe" as const, select }
        const before = (yield* rssMegabytes(worker.pid)) ?? Number.NaN
        const begun = performance.now()
        const preview = yield* Effect.orDie(bulk.change(project, { ...change, dryRun: true }))
        if (!("confirmationToken" in preview)) return yield* new BenchFailure({ message: "there was no dry run" })
        const { confirmationToken } = preview
        const queued = yield* Effect.orDie(bulk.change(project, { ...change, confirmationToken }))
        if (!("jobId" in queued)) return yield* new BenchFailure({ message: "no job was queued" })
        let most = before
        const look = Effect.gen(function* () {
          most = Math.max(most, (yield* rssMegabytes(worker.pid)) ?? most)
          return yield* Effect.orDie(bulk.find(project, JobId.make(queued.jobId)))
        })
        const job = yield* Effect.repeat(Effect.delay(look, "100 millis"), {
          until: ({ finishedAt }) => finishedAt !== null
        })
        const value = rateSince(begun)
        if (job.result?.successCount !== contacts) {
          return yield* new BenchFailure({ message: `not all were unsubscribed: ${JSON.stringify(job.result)}` })
        }
        return { value, rssMegabytes: most, more: { "RSS growth, MB": most - before } }
      }).pipe(Effect.provideContext(services))

    const byHand: Run = () =>
      Effect.gen(function* () {
        const sql = yield* ready
        const rows = yield* Effect.orDie(sql<{ readonly id: string }>`
          select id from contacts where project_id = ${project} and data @> '{"plan": "pro"}' order by email`)
        const begun = performance.now()
        for (let from = 0; from < rows.length; from += step) {
          const ids = rows.slice(from, from + step).map(({ id }) => id)
          yield* Effect.orDie(
            sql.withTransaction(
              Effect.all([
                sql`update contacts set subscribed = false, updated_at = now() where id = any(${ids}::uuid[])`,
                sql`
                  insert into events (id, project_id, contact_id, name, source, data, created_at)
                  select gen_random_uuid(), ${project}::uuid, id, 'contact.unsubscribed', 'system', '{"reason":"bulk"}',
                         now()
                  from unnest(${ids}::uuid[]) as id`,
                sql`
                  insert into consents (project_id, id, contact_id, email, at, recorded_at, action, source, actor)
                  select ${project}::uuid, gen_random_uuid(), id, 'reader@example.com', now(), now(), 'withdrawn', 'bulk',
                         'service'
                  from unnest(${ids}::uuid[]) as id`
              ])
            )
          )
        }
        return { value: rateSince(begun) }
      }).pipe(Effect.provideContext(services))

    return [
      {
        name: `unsubscribe, of ${contacts}`,
        unit: "rows/s",
        target: ">= 5,000/s; RSS growth <= 50 MB",
        posthorn: unsubscribed,
        baselines: { "raw statements": byHand }
      }
    ]
  })
}

import { randomUUID } from "node:crypto"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import * as ContactBulk from "@posthorn/core/audience/contacts/ContactBulk"
import { JobId } from "@posthorn/core/platform/jobs/Job"
import * as JobRunner from "@posthorn/core/platform/jobs/JobRunner"
import { Array, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { BenchFailure } from "../BenchFailure.ts"
import * as Postgres from "../Postgres.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"

const count = 1_000

const millis = Effect.fnUntraced(function* <E, R>(work: Effect.Effect<unknown, E, R>) {
  const begun = performance.now()
  yield* work
  return { value: performance.now() - begun }
})

/** Subscribed contacts of a new project. */
const seeded = Effect.fnUntraced(function* () {
  const sql = yield* SqlClient.SqlClient
  const project = ProjectId.make(randomUUID())
  const ids = Array.makeBy(count, () => ContactId.make(randomUUID()))
  yield* Effect.orDie(sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select id, ${project}::uuid, id || '@example.com', true, '{}', now(), now() from unnest(${ids}::uuid[]) as id`)
  return { sql, project, ids }
})

export const row: Row = {
  id: "A7",
  title: "bulk unsubscribe of 1,000, PostgreSQL",
  needsPostgres: true,
  conditions: [
    "from the request for the job to its end, in this process; 100 contacts with their events in each transaction",
    "baseline: one update and one insert of 1,000 events, in one transaction"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const services = yield* Layer.build(
      Layer.provideMerge(JobRunner.layer(ContactBulk.jobs), Seed.core(Postgres.layer(database)))
    )

    const unsubscribed: Run = () =>
      Effect.gen(function* () {
        const bulk = yield* ContactBulk.make
        const { ids, project } = yield* seeded()
        return yield* millis(
          Effect.gen(function* () {
            const { jobId } = yield* bulk.queue(project, "bulk-unsubscribe", { contactIds: ids })
            const job = Effect.delay(Effect.orDie(bulk.find(project, JobId.make(jobId))), "5 millis")
            const { result } = yield* Effect.repeat(job, { until: ({ finishedAt }) => finishedAt !== null })
            if (result?.successCount !== count) return yield* new BenchFailure({ message: "not all were unsubscribed" })
          })
        )
      }).pipe(Effect.provideContext(services))

    const raw: Run = () =>
      Effect.gen(function* () {
        const { ids, project, sql } = yield* seeded()
        return yield* millis(
          sql
            .withTransaction(
              Effect.andThen(
                sql`
                  update contacts set subscribed = false, updated_at = now()
                  where project_id = ${project} and id = any(${ids}::uuid[])`,
                sql`
                  insert into events (id, project_id, contact_id, name, source, data, created_at)
                  select gen_random_uuid(), ${project}::uuid, id, 'contact.unsubscribed', 'system',
                         '{"reason":"bulk"}', now()
                  from unnest(${ids}::uuid[]) as id`
              )
            )
            .pipe(Effect.orDie)
        )
      }).pipe(Effect.provideContext(services))

    return [{ name: "bulk", unit: "ms", target: "<= 1,000 ms", posthorn: unsubscribed, baselines: { raw } }]
  })
}

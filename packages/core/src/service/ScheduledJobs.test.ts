import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as SegmentStoreSql from "../audience/segments/SegmentStoreSql.ts"
import { Segments } from "../audience/segments/Segments.ts"
import { foundation } from "../mail/domains/DomainsFixture.ts"
import * as IdempotencyKeys from "../platform/http/IdempotencyKeys.ts"
import * as JobQueueSql from "../platform/jobs/JobQueueSql.ts"
import { scheduled } from "../platform/jobs/PeriodicJobs.ts"
import { eventually } from "../testing/Eventually.ts"
import { rotationUnder, secret } from "../testing/Services.ts"
import * as ScheduledJobs from "./ScheduledJobs.ts"

const jobRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ name: Schema.String, lastError: Schema.NullOr(Schema.String), done: Schema.Boolean }))
)

const jobs = SqlClient.SqlClient.use((sql) =>
  Effect.flatMap(
    sql`
      select name, last_error as "lastError", last_success_at is not null as done from periodic_jobs order by name`,
    jobRows
  )
)

layer(
  Layer.mergeAll(
    IdempotencyKeys.layerSql,
    JobQueueSql.layer,
    rotationUnder(secret),
    SegmentStoreSql.layer,
    // No segment needs an evaluation.
    Layer.mock(Segments, {})
  ).pipe(Layer.provideMerge(foundation(new Map()))),
  {
    timeout: "60 seconds"
  }
)("ScheduledJobs", (it) => {
  it.effect("runs each job when a worker starts for the first time", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const past = DateTime.toDate(yield* DateTime.now)
      yield* sql`
        insert into idempotency_keys (project_id, key, owner, request, fingerprint, first_at, expires_at, lease_until)
        values (gen_random_uuid(), 'expired', gen_random_uuid(), '', '', ${past}, ${past}, ${past})`
      const before = (days: number) => DateTime.toDate(DateTime.subtract(DateTime.makeUnsafe(past), { days }))
      for (const days of [29, 30]) {
        yield* sql`
          insert into jobs (project_id, id, name, due_at, created_at, started_at, finished_at)
          values (gen_random_uuid(), gen_random_uuid(), ${`ended ${days} days ago`}, ${before(days)}, ${before(days)},
                  ${before(days)}, ${before(days)})`
      }
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { maintenance, rotation, segments } = ScheduledJobs
          yield* Layer.build(scheduled([...rotation, ...segments, ...maintenance]))
          yield* eventually(jobs, (rows) => rows.length === 5 && rows.every(({ done }) => done))
        })
      )
      assert.deepStrictEqual(yield* jobs, [
        { name: "domain-check", lastError: null, done: true },
        { name: "idempotency-keys", lastError: null, done: true },
        { name: "job-records", lastError: null, done: true },
        { name: "secrets", lastError: null, done: true },
        { name: "segments", lastError: null, done: true }
      ])
      assert.deepStrictEqual(yield* sql`select key from idempotency_keys`, [])
      assert.deepStrictEqual(yield* sql`select name from jobs`, [{ name: "ended 29 days ago" }])
    })
  )
})

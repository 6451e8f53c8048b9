import { assert, describe, layer } from "@effect/vitest"
import { Effect, Metric } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../testing/Databases.ts"
import * as Backlog from "./Backlog.ts"

/** Waiting emails that are due at these seconds since 1970. */
const waiting = Effect.fnUntraced(function* (...dueSeconds: ReadonlyArray<number>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from emails`
  for (const seconds of dueSeconds) {
    yield* sql`
      insert into emails (id, project_id, to_email, from_email, type, source_type, tracking, status, lane, due_at,
        ladder_since, created_at, updated_at)
      values (gen_random_uuid(), gen_random_uuid(), 'anna@example.com', 'hi@example.com', 'TRANSACTIONAL',
        'TRANSACTIONAL', true, 'PENDING', 0, ${new Date(seconds * 1000)}, now(), now(), now())`
  }
})

const gauges = Effect.fnUntraced(function* (measure: Effect.Effect<void>) {
  yield* measure
  const found = (yield* Metric.snapshot).filter(({ type }) => type === "Gauge")
  return Object.fromEntries(found.map(({ id, state }) => [id, "value" in state ? state.value : undefined]))
})

describe.each(databases())("the backlog on %s", (_, database) => {
  layer(database)((it) => {
    it.effect("counts waiting mail, and measures how long the oldest mail has been due", () =>
      Effect.gen(function* () {
        const measure = yield* Backlog.make
        yield* TestClock.setTime(100_000)
        yield* waiting(40, 90, 500)
        const figures = { posthorn_emails_pending: 3, posthorn_email_oldest_pending_seconds: 60 }
        assert.include(yield* gauges(measure), figures)

        yield* waiting(500)
        yield* TestClock.adjust("9 seconds")
        assert.include(yield* gauges(measure), figures)
        yield* TestClock.adjust("1 second")
        assert.include(yield* gauges(measure), { posthorn_emails_pending: 1, posthorn_email_oldest_pending_seconds: 0 })

        yield* waiting()
        yield* TestClock.adjust("10 seconds")
        assert.include(yield* gauges(measure), { posthorn_emails_pending: 0, posthorn_email_oldest_pending_seconds: 0 })
      })
    )

    it.effect("counts held mail too, but not as late", () =>
      Effect.gen(function* () {
        const measure = yield* Backlog.make
        const sql = yield* SqlClient.SqlClient
        yield* TestClock.setTime(1_000_000)
        yield* waiting(100)
        const [campaign, held] = ["019a0000-0000-7000-8000-00000000000a", "019a0000-0000-7000-8000-00000000000b"]
        yield* sql`
          insert into mailings (project_id, campaign_id, is_open, subject, body, from_email, type, tracking, project_name,
            language)
          select gen_random_uuid(), id, id = ${campaign}::uuid, '', '', '', 'MARKETING', true, '', 'en'
          from unnest(${[campaign, held]}::uuid[]) as id`
        yield* sql`
          insert into emails (id, project_id, campaign_id, to_email, from_email, type, source_type, tracking, status, lane,
            due_at, ladder_since, created_at, updated_at)
          select gen_random_uuid(), project_id, campaign_id, 'anna@example.com', 'hi@example.com', 'MARKETING',
                 'CAMPAIGN', true, 'PENDING', 2, case when is_open then to_timestamp(950) else to_timestamp(10) end,
                 now(), now(), now()
          from mailings`
        yield* sql`
          insert into projects (id, name, public_key, secret_key_hash, secret_hint, created_at, updated_at,
            disabled_reason)
          select project_id, 'Shop', 'pk', 'hash', 'hint', now(), now(), 'MANUAL' from emails where lane = 0`
        assert.include(yield* gauges(measure), {
          posthorn_emails_pending: 3,
          posthorn_email_oldest_pending_seconds: 50
        })
        yield* waiting()
      })
    )

    it.effect("finds the oldest mail among all projects, queues and campaigns", () =>
      Effect.gen(function* () {
        const measure = yield* Backlog.make
        const sql = yield* SqlClient.SqlClient
        yield* TestClock.setTime(2_000_000)
        const late = (lane: number, project: number, queue: number, seconds: number) => sql`
          insert into emails (id, project_id, to_email, from_email, type, source_type, tracking, status, lane, queue, due_at,
            ladder_since, created_at, updated_at)
          values (gen_random_uuid(), md5(${String(project)}::text)::uuid, 'anna@example.com', 'hi@example.com',
            'MARKETING', 'TRANSACTIONAL', true, 'PENDING', ${lane}, ${queue}, ${new Date(2_000_000 - seconds * 1_000)},
            now(), now(), now())`
        const oldest = Effect.gen(function* () {
          yield* TestClock.adjust("10 seconds")
          const found = yield* gauges(measure)
          return [found["posthorn_emails_pending"], found["posthorn_email_oldest_pending_seconds"]]
        })
        for (const project of [1, 2, 3])
          for (const queue of [0, 1]) yield* late(1, project, queue, 10 * project + queue)
        assert.deepStrictEqual(yield* oldest, [6, 41])
        yield* late(1, 2, 0, 80)
        assert.deepStrictEqual(yield* oldest, [7, 100])
        yield* late(0, 9, 0, 200)
        assert.deepStrictEqual(yield* oldest, [8, 230])
        yield* waiting()
      })
    )

    it.effect("counts executions that run or wait, and measures how long the oldest has been due", () =>
      Effect.gen(function* () {
        const measure = yield* Backlog.make
        const sql = yield* SqlClient.SqlClient
        yield* TestClock.setTime(5_000_000)
        const at = (secondsAgo: number) => new Date(5_000_000 - secondsAgo * 1_000)
        for (const [status, due, frozen] of [
          ["WAITING", at(30), false],
          ["WAITING", at(-30), false],
          ["RUNNING", at(90), true],
          ["COMPLETED", null, false]
        ] as const) {
          yield* sql`
            with person as (
              insert into contacts (project_id, id, email, data, subscribed, created_at, updated_at)
              values (gen_random_uuid(), gen_random_uuid(), 'anna@example.com', '{}', true, now(), now())
              returning project_id, id
            )
            insert into workflow_executions (id, project_id, workflow_id, contact_id, nth, status, source, chain,
              step_execution_id, current_since, started_at, created_at, updated_at, due_at, frozen)
            select gen_random_uuid(), project_id, gen_random_uuid(), id, 1, ${status}, 'EVENT', 1, gen_random_uuid(),
              now(), now(), now(), now(), ${due}::timestamptz, ${frozen}::boolean
            from person`
        }
        assert.include(yield* gauges(measure), { posthorn_executions_live: 3, posthorn_executions_due_lag_seconds: 30 })
      })
    )

    it.effect("counts events that wait, and those that have been failing for more than 15 minutes", () =>
      Effect.gen(function* () {
        const measure = yield* Backlog.make
        const sql = yield* SqlClient.SqlClient
        yield* TestClock.setTime(10_000_000)
        const at = (minutesAgo: number) => new Date(10_000_000 - minutesAgo * 60_000)
        for (const [time, dispatched] of [
          [at(1), null],
          [at(20), null],
          [at(20), at(19)]
        ] as const) {
          yield* sql`
            insert into events (id, project_id, name, source, created_at, dispatched_at)
            values (gen_random_uuid(), gen_random_uuid(), 'seen', 'tracked', ${time}, ${dispatched})`
        }
        for (const time of [at(14), at(16)]) {
          yield* sql`
            insert into event_dispatch_failures (project_id, event_id, attempts, failed_at, due_at, error)
            values (gen_random_uuid(), gen_random_uuid(), 1, ${time}, ${time}, 'x')`
        }
        assert.include(yield* gauges(measure), { posthorn_events_undispatched: 4, posthorn_events_stuck: 2 })
      })
    )
  })
})

import { eventsTable } from "@posthorn/core/events/EventPartitions"
import { Failpoint } from "@posthorn/core/platform/Failpoint"
import { removeBefore } from "@posthorn/core/platform/Partitions"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"
import * as Automating from "./Automating.ts"
import { latency, requests } from "./Loads.ts"

/** Events for each contact of `--audience`. */
const perContact = 10
/** Contacts that the events belong to: one for each hundred events. */
const eventsOfContact = 100
const months = 12
const eventsPerMail = 10

const millis = (month: number, n: string) => {
  const [from, until] = [month, month + 1].map(
    (each) => `date_trunc('month', now(), 'UTC') + interval '${each} months'`
  )
  return `(extract(epoch from ${from} + (${until} - (${from})) * ${n}) * 1000)::bigint`
}
const idAt = (time: string) => `rpad(lpad(to_hex(${time}), 12, '0') || '7', 32, md5(random()::text))::uuid`

/** Contacts, and partitions of the last months, of which the last `filled` have as many events each. */
const divide = Effect.fnUntraced(function* (project: string, events: number, filled: number) {
  const sql = yield* SqlClient.SqlClient
  const run = (statement: string) => sql.unsafe(statement).unprepared
  const bound = (month: number) => `rpad(lpad(to_hex(${millis(month, "0")}), 12, '0'), 32, '0')::uuid`
  yield* run("drop table events_first")
  for (let month = -months; month <= 1; month++) {
    yield* run(`
      do $$ begin
        execute format('create table events_m${month + months} partition of events for values from (%L) to (%L)',
                       ${bound(month)}, ${bound(month + 1)});
      end $$`)
  }
  const contacts = Math.max(1, Math.round(events / eventsOfContact))
  const contact = (n: string) => `overlay(overlay(md5((${n})::text) placing '7' from 13) placing '8' from 17)::uuid`
  yield* run(`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select ${contact("n")}, '${project}', 'reader-' || n || '@example.com', true, '{}', now(), now()
    from generate_series(0, ${contacts - 1}) as n`)
  const each = Math.round(events / months)
  for (let month = -filled; month < 0; month++) {
    // Without triggers and foreign keys: the rows are those that they allow.
    yield* sql.withTransaction(
      Effect.andThen(
        run("set local session_replication_role = replica"),
        run(`
          insert into events (id, project_id, contact_id, name, source, data, created_at, dispatched_at)
          select ${idAt("millis")}, '${project}', ${contact(`n % ${contacts}`)},
                 case when n % 10 = 0 then 'purchase' else 'visit ' || n % 10 end, 'tracked',
                 jsonb_build_object('amount', n % 101, 'sku', 'x' || n % 7), to_timestamp(millis / 1000.0), '-infinity'
          from generate_series(0, ${each - 1}) as n, lateral (select ${millis(month, `(n::float8 / ${each})`)} as millis) as at`)
      )
    )
  }
  yield* run("vacuum analyze events")
  yield* run("vacuum analyze contacts")
}, Effect.orDie)

const condition = {
  groups: [{ filters: [{ field: "event.purchase", operator: "triggeredWithin", value: 45, unit: "days" }] }]
}

export const row: Row = {
  id: "S4",
  title: "a project with many events, divided by month, PostgreSQL",
  needsPostgres: true,
  conditions: [
    `${perContact} events for each contact of --audience, of the last ${months} months, of which each is a partition`,
    "track: 32 connections, role api, a new contact each, POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row)",
    "dispatch: 50,000 stored events, 10,000 with --quick, one worker, to which nothing reacts",
    "count: POST /contacts/count of those with an event in the last 45 days, in the table with one and with all months",
    "removal: until the oldest month has left the table; then the totals lose its events, and its file is deleted",
    "baseline: the same in a table without other events; for the count, in one with the newest two months alone"
  ],
  cases: Effect.gen(function* () {
    const { audienceSizes } = yield* Bench
    const events = perContact * (audienceSizes.at(-1) ?? 0)
    const load = yield* HttpLoad.start
    const stage = Effect.fnUntraced(function* (name: string, filled: number) {
      const database = yield* Postgres.freshDatabase
      const services = yield* Layer.build(Postgres.layer(database))
      const [project] = yield* Effect.provide(Seed.projects(1), Seed.core(Layer.succeedContext(services)))
      if (project === undefined) return yield* new BenchFailure({ message: "no project was created" })
      yield* Effect.provideContext(divide(project.id, events, filled), services)
      const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
      const api = yield* Server.start({ name: `S4 ${name} api`, role: "api", database, environment })
      return { database, services, project, api }
    })
    const [full, newest, empty] = [yield* stage("all", months), yield* stage("newest", 2), yield* stage("empty", 0)]
    type Stage = typeof full

    const track = ({ api, project }: Stage): Run =>
      requests(api, load, {
        url: api.url,
        method: "POST",
        path: "/v1/track",
        status: 200,
        projects: [{ key: project.publicKey }],
        body: JSON.stringify({ email: "new-$n@example.com", event: "order.placed", data: { plan: "pro" } })
      })

    const counted = ({ api, project }: Stage): Run =>
      latency(api, load, {
        url: api.url,
        method: "POST",
        path: "/contacts/count",
        status: 200,
        projects: [{ key: project.key }],
        body: JSON.stringify({ condition })
      })

    const bench = yield* Bench
    const dispatched =
      ({ database, project, services }: Stage): Run =>
      ({ mails }) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const count = mails * eventsPerMail
          yield* Automating.none("event_outbox", "true")
          yield* Effect.orDie(sql`
            insert into events (id, project_id, contact_id, name, source, data, created_at)
            select ${sql.literal(idAt("(extract(epoch from clock_timestamp()) * 1000)::bigint"))}, project_id, id,
                   'order.placed', 'tracked', '{"total": 42}', clock_timestamp()
            from contacts cross join generate_series(1, 100) where project_id = ${project.id}::uuid limit ${count}`)
          const begun = Date.now()
          const ended = yield* Automating.none("event_outbox", "true")
          return { value: count / ((ended - begun) / 1000) }
        }).pipe(Effect.provideContext(services), Effect.provideService(Bench, bench), (run) =>
          Effect.andThen(
            Server.start({ name: "S4 worker", role: "worker", database, smtp: "smtp://127.0.0.1:1" }),
            run
          ).pipe(Effect.provideService(Bench, bench))
        )

    let removed = 0
    const removal: Run = () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        removed++
        const [oldest] = yield* Effect.orDie(sql<{ readonly end: Date }>`
          select date_trunc('month', now(), 'UTC') + make_interval(months => ${removed - months}::int) as end`)
        const before = DateTime.add(DateTime.fromDateUnsafe(oldest?.end ?? new Date(0)), { minutes: 1 })
        const begun = performance.now()
        let left = Number.NaN
        yield* Effect.provideService(removeBefore(eventsTable, before), Failpoint, (window) =>
          Effect.sync(() => {
            if (window === "after_partition_detach") left = performance.now() - begun
          })
        )
        return { value: left, more: { "until its file is deleted, ms": Math.round(performance.now() - begun) } }
      }).pipe(Effect.provideContext(full.services))

    return [
      {
        name: `track, ${events} events`,
        unit: "requests/s",
        target: ">= 0.91",
        posthorn: track(full),
        baselines: { "no other events": track(empty) }
      },
      {
        name: `dispatch, ${events} events`,
        unit: "events/s",
        target: ">= 0.91",
        posthorn: dispatched(full),
        baselines: { "no other events": dispatched(empty) }
      },
      {
        name: `count with a filter on events, ${events} events`,
        unit: "ms",
        target: "<= 1.1 x",
        posthorn: counted(full),
        baselines: { "the newest months": counted(newest) }
      },
      {
        name: `removal of a month, ${events} events`,
        unit: "ms",
        target: "< 1,000 ms",
        posthorn: removal,
        baselines: {}
      }
    ]
  })
}

import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import * as RawStatements from "../baselines/RawStatements.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import { memoryOf } from "../machine/ProcessTimes.ts"
import * as Postgres from "../Postgres.ts"
import * as Api from "../processes/Api.ts"
import * as Server from "../processes/Server.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { latencyOf } from "../Statistics.ts"
import { latency, statements } from "./Loads.ts"

/** Events for each contact of `--audience`; one in ten has the name, and a quarter of these is in the window. */
const perContact = 10
/** Contacts that the events belong to: one for each hundred events. */
const eventsOfContact = 100
const tracked = 100
const lookMillis = 20
const patienceMillis = 60_000

const condition = (amount: number) => ({
  groups: [
    {
      filters: [
        {
          field: "event.purchase",
          operator: "triggeredWithin",
          value: 30,
          unit: "days",
          where: [{ path: "amount", operator: "greaterThan", value: amount }]
        }
      ]
    }
  ]
})

let number = 0

export const row: Row = {
  id: "P7",
  title: "filters on the data of events, PostgreSQL",
  needsPostgres: true,
  conditions: [
    `${perContact} events for each contact of --audience, a tenth of them purchases, a quarter of these in the last 30 days`,
    "count: POST /contacts/count of those that bought for more than 50; one connection, one request at a time",
    `entry: ${tracked} tracked segments with such a filter; from POST /events/track to the event of the entry in the table, checked every ${lookMillis} ms; the figure is the p95 of a run`,
    "role all, POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row)",
    "baseline: the same count by SQL on one connection"
  ],
  cases: Effect.gen(function* () {
    const { audienceSizes } = yield* Bench
    const events = perContact * (audienceSizes.at(-1) ?? 0)
    const contacts = Math.max(1, Math.round(events / eventsOfContact))
    const database = yield* Postgres.freshDatabase
    const [project] = yield* Effect.provide(Seed.projects(1), Seed.core(Postgres.layer(database)))
    if (project === undefined) return yield* new BenchFailure({ message: "no project was created" })
    const { id, key } = project
    const sql = Context.get(yield* Layer.build(Postgres.layer(database)), SqlClient.SqlClient)
    yield* Effect.orDie(sql`
      insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
      select overlay(overlay(md5(n::text) placing '7' from 13) placing '8' from 17)::uuid, ${id}::uuid, 'reader-' || n || '@example.com', true, '{}', now(), now()
      from generate_series(0, ${contacts - 1}::int) as n`)
    yield* Effect.orDie(sql`
      insert into events (id, project_id, contact_id, name, source, data, created_at, dispatched_at)
      select gen_random_uuid(), ${id}::uuid, overlay(overlay(md5((n % ${contacts}::int)::text) placing '7' from 13) placing '8' from 17)::uuid,
             case when n % 10 = 0 then 'purchase' else 'visit ' || n % 10 end, 'tracked',
             jsonb_build_object('amount', n % 101, 'sku', 'x' || n % 7),
             now() - case when n % 40 = 0 then interval '10 days' else interval '60 days' end, now()
      from generate_series(1, ${events}::bigint) as n`)
    yield* Effect.orDie(sql.unsafe("vacuum analyze events"))
    yield* Effect.orDie(sql.unsafe("vacuum analyze contacts"))
    const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
    const smtp = "smtp://127.0.0.1:1"
    const server = yield* Server.start({ name: "P7 all", role: "all", database, environment, smtp })
    const load = yield* HttpLoad.start
    const raw = yield* RawStatements.start(database)
    const segments = yield* Effect.forEach(Array.from({ length: tracked }).keys(), (n) =>
      Api.ask(
        server,
        key,
        {
          method: "POST",
          path: "/segments",
          status: 201,
          body: { name: `Spent ${n}`, condition: condition(1_000 + n), trackMembership: true }
        },
        Schema.Struct({ slug: Schema.String })
      )
    )

    const entry: Run = ({ seconds }) =>
      Effect.gen(function* () {
        const millis: Array<number> = []
        const end = performance.now() + seconds * 1000
        while (performance.now() < end) {
          const email = `buyer-${process.pid}-${number++}@example.com`
          const begun = performance.now()
          const body = { email, event: "purchase", data: { amount: 1_000 + tracked } }
          const { contact } = yield* Api.ask(
            server,
            key,
            { method: "POST", path: "/events/track", status: 200, body },
            Schema.Struct({ data: Schema.Struct({ contact: Schema.String }) })
          ).pipe(Effect.map(({ data }) => data))
          const deadline = begun + patienceMillis
          const entered = sql`
            select from events where project_id = ${id} and contact_id = ${contact}
              and name = ${`segment.${segments.at(-1)?.slug}.entry`}`
          while ((yield* Effect.orDie(entered)).length === 0) {
            if (performance.now() > deadline) {
              return yield* new BenchFailure({ message: `no entry within ${patienceMillis} ms` })
            }
            yield* Effect.sleep(lookMillis)
          }
          millis.push(performance.now() - begun)
        }
        const measured = latencyOf(millis)
        return { value: measured.p95, latency: measured, ...(yield* memoryOf(server.pid)) }
      })

    const count = {
      url: server.url,
      method: "POST",
      path: "/contacts/count",
      status: 200,
      projects: [{ key }],
      body: JSON.stringify({ condition: condition(50) })
    } as const
    return [
      {
        name: `count with a filter on data, ${events} events`,
        unit: "ms",
        target: "<= 1.2 x; <= 1.5 s",
        posthorn: latency(server, load, count),
        baselines: {
          "SQL by hand": statements(raw, [
            `select count(*) from contacts where project_id = '${id}' and id in (
               select contact_id from events
               where project_id = '${id}' and name = 'purchase' and occurred_at >= now() - interval '30 days'
                 and jsonb_typeof(data -> 'amount') = 'number' and (data ->> 'amount')::numeric > 50)`
          ])
        }
      },
      {
        name: `event to entry, ${tracked} tracked segments, p95`,
        unit: "ms",
        target: "<= 2 s",
        posthorn: entry,
        baselines: {}
      }
    ]
  })
}

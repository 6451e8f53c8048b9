import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import * as Segments from "../load/Segments.ts"
import { memoryOf, withCpuOf } from "../machine/ProcessTimes.ts"
import * as Postgres from "../Postgres.ts"
import * as Api from "../processes/Api.ts"
import * as Server from "../processes/Server.ts"
import type { Row, Run } from "../Row.ts"
import { latencyOf } from "../Statistics.ts"

const tracked = 100
/** Milliseconds between two queries for the event. */
const lookMillis = 20
const patienceMillis = 60_000

let number = 0

export const row: Row = {
  id: "A5",
  title: "tracked segments, PostgreSQL",
  needsPostgres: true,
  conditions: [
    "the largest of three projects in the same tables, seeded (npm run seed), role all: API and worker in one process",
    `entry: ${tracked} tracked segments, one contact at a time changes into one; from its POST /contacts to the event in the table, checked every ${lookMillis} ms; the figure is the median of a run, with p95`,
    "compute: POST /segments/{id}/compute of a new tracked segment on data.plan, which about one contact in nine joins",
    "baseline of the compute: all members and their events by hand, in one statement each and one transaction"
  ],
  cases: Effect.gen(function* () {
    const { audience } = yield* Bench
    const { audiences, url } = yield* audience
    const largest = audiences.at(-1)
    if (largest === undefined) return []
    const { id: project, key } = largest
    const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
    const server = yield* Server.start({
      name: "A5 all",
      role: "all",
      database: url,
      environment,
      smtp: "smtp://127.0.0.1:1"
    })
    const sql = Context.get(yield* Layer.build(Postgres.layer(url)), SqlClient.SqlClient)

    const segments = yield* Effect.forEach(Array.from({ length: tracked }).keys(), (n) =>
      Segments.create(server, key, { name: `Field ${n}`, field: `data.field${n}`, value: "yes", tracked: true })
    )

    const entered = Effect.fnUntraced(function* (name: string, contact: string) {
      const deadline = performance.now() + patienceMillis
      while (performance.now() < deadline) {
        const rows = yield* Effect.orDie(sql`
          select from events where project_id = ${project} and contact_id = ${contact} and name = ${name}`)
        if (rows.length > 0) return
        yield* Effect.sleep(lookMillis)
      }
      return yield* new BenchFailure({ message: `no ${name} within ${patienceMillis} ms` })
    })

    const entry: Run = ({ seconds }) =>
      Effect.gen(function* () {
        const millis: Array<number> = []
        const end = performance.now() + seconds * 1000
        while (performance.now() < end) {
          const n = number++ % tracked
          const begun = performance.now()
          const { id } = yield* Api.ask(
            server,
            key,
            {
              method: "POST",
              path: "/contacts",
              status: 201,
              body: { email: `enters-${process.pid}-${number}@example.com`, data: { [`field${n}`]: "yes" } }
            },
            Schema.Struct({ id: Schema.String })
          )
          yield* entered(`segment.${segments[n]?.slug}.entry`, id)
          millis.push(performance.now() - begun)
        }
        const latency = latencyOf(millis)
        return { value: latency.p50, latency, ...(yield* memoryOf(server.pid)) }
      })

    const compute: Run = () =>
      Effect.gen(function* () {
        const name = `Team ${number++}`
        const { id } = yield* Segments.create(server, key, { name, tracked: true, ...Segments.onTeamPlan })
        const begun = performance.now()
        const { result, cpuMillis } = yield* withCpuOf(server.pid, Segments.compute(server, key, id))
        const value = performance.now() - begun
        if (result.added === 0) return yield* new BenchFailure({ message: "no contact joined" })
        return {
          value,
          cpuMillisPerItem: cpuMillis === undefined ? undefined : cpuMillis / result.added,
          ...(yield* memoryOf(server.pid)),
          more: { joined: result.added }
        }
      })

    const byHand: Run = () =>
      Effect.gen(function* () {
        const name = `Raw ${number++}`
        const { id } = yield* Segments.create(server, key, { name, tracked: false, ...Segments.onTeamPlan })
        const begun = performance.now()
        yield* Effect.orDie(
          sql.withTransaction(
            Effect.andThen(
              sql`insert into segment_members (project_id, segment_id, contact_id)
                  select project_id, ${id}::uuid, id from contacts
                  where project_id = ${project} and data @> '{"plan": "team"}'`,
              sql`insert into events (id, project_id, contact_id, name, source, data, created_at)
                  select gen_random_uuid(), project_id, contact_id, 'segment.raw.entry', 'system', '{"slug": "raw"}', now()
                  from segment_members where project_id = ${project} and segment_id = ${id}`
            )
          )
        )
        return { value: performance.now() - begun }
      })

    return [
      {
        name: `change to entry event, ${tracked} tracked segments, ${largest.contacts} contacts`,
        unit: "ms",
        target: "p95 <= 2 s",
        posthorn: entry,
        baselines: {}
      },
      {
        name: `full compute, of ${largest.contacts}`,
        unit: "ms",
        target: "<= 10 s",
        posthorn: compute,
        baselines: { "raw diff": byHand }
      }
    ]
  })
}

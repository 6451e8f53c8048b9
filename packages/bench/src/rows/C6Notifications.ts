import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { BenchFailure } from "../BenchFailure.ts"
import * as Notifications from "../load/Notifications.ts"
import { withCpuOf } from "../machine/ProcessTimes.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { latencyOf } from "../Statistics.ts"

const secret = "a notification secret of the benchmarks"
/** Events in one call, and concurrent calls. */
const perCall = 100
const calls = 4
const baselineConnections = 32

/** Sent emails, each to its own address, and their ids. */
const sentMails = Effect.fnUntraced(function* (project: string, count: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly id: string }>`
    insert into emails (id, project_id, to_email, from_email, subject, type, source_type, tracking, status, lane, due_at,
                        ladder_since, begun_at, sent_at, created_at, updated_at)
    select gen_random_uuid(), ${project}::uuid, 'n' || n || '-' || gen_random_uuid() || '@example.com', 'hello@example.com',
           'Hello', 'TRANSACTIONAL', 'TRANSACTIONAL', false, 'SENT', 0, now(), now(), now(), now(), now(), now()
    from generate_series(1, ${count}::int) as n returning id`
  return rows.map(({ id }) => id)
})

type Kind = "delivery" | "mixed"

/** One in ten mixed notifications is a permanent bounce, which also suppresses the address. */
const eventOf = (kind: Kind, emailId: string, n: number) =>
  Notifications.event(kind === "mixed" && n % 10 === 0 ? "bounce" : "delivery", emailId, randomUUID())

const call = Effect.fnUntraced(function* (url: string, events: ReadonlyArray<object>) {
  const { accepted } = yield* Notifications.tell(url, secret, events)
  if (accepted !== events.length)
    return yield* new BenchFailure({ message: `${accepted} of ${events.length} were new` })
})

/** More emails a second than any machine could apply are prepared. */
const mostPerSecond = 6_000

const notifications =
  (
    server: { readonly pid: number; readonly url: string },
    sql: SqlClient.SqlClient,
    project: string,
    kind: Kind
  ): Run =>
  ({ seconds }) =>
    Effect.gen(function* () {
      const prepared = Effect.provideService(
        sentMails(project, Math.ceil(mostPerSecond * seconds)),
        SqlClient.SqlClient,
        sql
      )
      const ids = yield* Effect.orDie(prepared)
      const millis: Array<number> = []
      let taken = 0
      const begin = performance.now()
      const end = begin + seconds * 1000
      const one = Effect.suspend(() => {
        const from = taken
        taken += perCall
        const started = performance.now()
        const events = ids.slice(from, taken).map((id, n) => eventOf(kind, id, n))
        return Effect.tap(call(server.url, events), () => Effect.sync(() => millis.push(performance.now() - started)))
      })
      const loop = Effect.whileLoop({
        while: () => performance.now() < end && taken + perCall <= ids.length,
        body: () => one,
        step: () => {}
      })
      const all = Effect.replicateEffect(loop, calls, { concurrency: "unbounded", discard: true })
      const { cpuMillis } = yield* withCpuOf(server.pid, all)
      const count = millis.length * perCall
      return {
        value: count / ((performance.now() - begin) / 1000),
        latency: latencyOf(millis),
        cpuMillisPerItem: cpuMillis === undefined ? undefined : cpuMillis / count
      }
    })

/** Only the update, each durable on its own. */
const updates =
  (sql: SqlClient.SqlClient, project: string): Run =>
  ({ seconds }) =>
    Effect.gen(function* () {
      const prepared = Effect.provideService(
        sentMails(project, Math.ceil(3 * mostPerSecond * seconds)),
        SqlClient.SqlClient,
        sql
      )
      const ids = yield* Effect.orDie(prepared)
      const millis: Array<number> = []
      let taken = 0
      const begin = performance.now()
      const end = begin + seconds * 1000
      const one = Effect.suspend(() => {
        const id = ids[taken++]
        const started = performance.now()
        return sql`
          update emails set status = 'DELIVERED', delivered_at = now(), updated_at = now()
          where project_id = ${project} and id = ${id ?? ""}::uuid`.pipe(
          Effect.tap(() => Effect.sync(() => millis.push(performance.now() - started))),
          Effect.orDie
        )
      })
      const loop = Effect.whileLoop({
        while: () => performance.now() < end && taken < ids.length,
        body: () => one,
        step: () => {}
      })
      yield* Effect.replicateEffect(loop, baselineConnections, { concurrency: "unbounded", discard: true })
      return { value: millis.length / ((performance.now() - begin) / 1000), latency: latencyOf(millis) }
    })

export const row: Row = {
  id: "C6",
  title: "POST /webhooks/notifications, PostgreSQL",
  needsPostgres: true,
  conditions: [
    `signed JSON, ${perCall} events a call, ${calls} calls at once, each event for another mail; role api`,
    "mixed: nine deliveries and one permanent bounce, with its suppression",
    `baseline: the update of the mail alone, each durable, ${baselineConnections} connections`
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const [project] = yield* Effect.provide(Seed.projects(1), Seed.core(Postgres.layer(database)))
    const environment = { POSTHORN_NOTIFICATION_SECRET: secret }
    const server = yield* Server.start({ name: "C6 api", role: "api", database, environment })
    const connections = PgClient.layer({
      url: Redacted.make(database),
      maxConnections: baselineConnections,
      startupParameters: { search_path: "posthorn" }
    })
    const sql = yield* Effect.map(Layer.build(Layer.orDie(connections)), (context) =>
      Effect.runSync(Effect.provideContext(SqlClient.SqlClient, context))
    )
    const caseOf = (name: string, kind: Kind) => ({
      name,
      unit: "notifications/s" as const,
      target: ">= 1,500/s",
      posthorn: notifications(server, sql, project.id, kind),
      baselines: { "raw update": updates(sql, project.id) }
    })
    return [caseOf("deliveries", "delivery"), caseOf("mixed", "mixed")]
  })
}

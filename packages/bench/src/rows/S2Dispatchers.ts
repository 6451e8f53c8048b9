import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Bench } from "../Bench.ts"
import * as Postgres from "../Postgres.ts"
import * as Sink from "../processes/Sink.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"
import * as Automating from "./Automating.ts"
import * as WorkerProcesses from "./WorkerProcesses.ts"

const projects = 1_000
const eventsPerMail = 10

/** Stores events in one transaction, in turn for each project, and empties the tables before. */
const store = (count: number) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.gen(function* () {
      const project = sql.literal(`('019a0000-0000-7000-8000-' || lpad(to_hex(n % ${projects}), 12, '0'))::uuid`)
      yield* sql`truncate events, event_outbox, contacts cascade`.unprepared
      yield* sql`
        insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
        select ${project}, ${project}, 'anna@example.com', true, '{}', now(), now()
        from generate_series(1, ${projects}::int) as n`
      yield* sql`vacuum (analyze) contacts, events, event_outbox`.unprepared
      yield* sql`
        insert into events (id, project_id, contact_id, name, source, data, created_at)
        select gen_random_uuid(), ${project}, ${project}, 'order.placed', 'tracked', '{"total": 42}', clock_timestamp()
        from generate_series(1, ${count}::int) as n`
    }).pipe(Effect.orDie)
  )

export const row: Row = {
  id: "S2",
  title: "more worker processes, which dispatch the events of many projects",
  needsPostgres: true,
  conditions: [
    `${projects} projects, 50,000 events for each worker, 10,000 with --quick; nothing reacts to them`,
    "each worker is a process; all of them and PostgreSQL share one machine",
    "events/s of each worker, from the commit of the events to the last dispatch",
    "baseline: one worker"
  ],
  cases: Effect.gen(function* () {
    const bench = yield* Bench
    const database = yield* Postgres.freshDatabase
    const services = yield* Layer.build(Seed.core(Postgres.layer(database)))
    const { url: smtp } = yield* Sink.start

    const dispatched =
      (workers: number): Run =>
      ({ mails }) =>
        Effect.gen(function* () {
          const count = mails * eventsPerMail * workers
          yield* WorkerProcesses.start("S2", workers, { database, smtp })
          yield* store(count)
          const begun = Date.now()
          const ended = yield* Automating.none("event_outbox", "true")
          return { value: count / ((ended - begun) / 1000) / workers }
        }).pipe(Effect.provideContext(services), Effect.provideService(Bench, bench))

    return WorkerProcesses.cases(dispatched, { unit: "events/s", target: ">= 0.8 until PostgreSQL is full" })
  })
}

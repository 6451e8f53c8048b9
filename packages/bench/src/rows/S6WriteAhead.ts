import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import * as Cluster from "../chaos/Cluster.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import * as Sink from "../processes/Sink.ts"
import type { Case, Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"
import * as Campaigning from "./Campaigning.ts"
import { settled } from "./Draining.ts"
import { projects, sendBody } from "./F1SendAccepted.ts"

const statistics = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({ bytes: Schema.Finite, entries: Schema.Finite, versions: Schema.Finite, mails: Schema.Finite })
  ])
)

/** What the effect writes to the log of the server, for each of its mails. All of them have their result when it ends. */
const written = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const [before] = yield* Effect.orDie(sql`select pg_current_wal_insert_lsn()::text as lsn`)
  yield* effect
  const [{ bytes, entries, mails, versions }] = yield* Effect.orDie(
    Effect.flatMap(
      sql`
        select sum(combined_size)::float8 as bytes,
               coalesce(sum(count) filter (where type = 'Btree/INSERT_LEAF'), 0)::float8 as entries,
               coalesce(sum(count) filter (where type in ('Heap/UPDATE', 'Heap/HOT_UPDATE')), 0)::float8 as versions,
               (select count(*) from emails where status = 'SENT')::float8 as mails
        from (
          select "resource_manager/record_type" as type, count, combined_size
          from public.pg_get_wal_stats(${before?.["lsn"]}::pg_lsn, pg_current_wal_flush_lsn(), true)
        ) as records`,
      statistics
    )
  )
  return {
    value: bytes / mails,
    more: { "entries of indexes": entries / mails, "new versions of rows": versions / mails }
  }
})

export const row: Row = {
  id: "S6",
  title: "the write-ahead log of a mail, from its acceptance to its result",
  needsPostgres: true,
  conditions: [
    "a server of PostgreSQL of its own, with full_page_writes=off: what is written does not depend on the times of checkpoints",
    "all of its log is counted, with events, counters and leases, but a campaign's audience is there before",
    "POST /v1/send to new recipients; a campaign"
  ],
  cases: Effect.gen(function* () {
    const bench = yield* Bench
    if (!(yield* Cluster.isInstalled)) {
      return yield* new BenchFailure({ message: "the programs of PostgreSQL are not installed" })
    }
    const cluster = yield* Cluster.make
    const postgres = yield* cluster.database("rows")
    const own = Effect.provideService(Bench, { ...bench, postgres })
    yield* Effect.provide(
      SqlClient.SqlClient.use((sql) =>
        Effect.orDie(
          Effect.all([
            sql.unsafe("alter system set full_page_writes = off"),
            sql.unsafe("alter system set synchronous_commit = off"),
            sql.unsafe("select pg_reload_conf()")
          ])
        )
      ),
      Postgres.layer(postgres)
    )
    const withStatistics = SqlClient.SqlClient.use((sql) =>
      Effect.orDie(sql.unsafe("create extension if not exists pg_walinspect schema public"))
    )

    const sends = yield* Effect.gen(function* () {
      const database = yield* Postgres.freshDatabase
      const services = yield* Layer.build(Seed.core(Postgres.layer(database)))
      const senders = yield* Effect.provideContext(Seed.senders(projects), services)
      yield* Effect.provideContext(withStatistics, services)
      const sink = yield* Sink.start
      const server = yield* Server.start({ name: "S6", role: "all", database, smtp: sink.url })
      const load = yield* HttpLoad.start
      const question = { url: server.url, method: "POST", path: "/v1/send", body: sendBody, status: 200 } as const
      const run: Run = ({ seconds }) =>
        Effect.gen(function* () {
          yield* Campaigning.clear()
          const asked = load.ask({ ...question, projects: senders, connections: 8, seconds }, HttpLoad.Answer)
          return yield* written(Effect.andThen(asked, settled))
        }).pipe(Effect.provideContext(services))
      return run
    }).pipe(own)

    const campaign = yield* Effect.gen(function* () {
      const stage = yield* Campaigning.stage("S6", Sink.start, 20)
      yield* Effect.provideContext(withStatistics, stage.services)
      const run: Run = ({ mails }) =>
        Effect.gen(function* () {
          yield* Campaigning.clear()
          yield* Campaigning.audience(stage.sender, mails)
          const id = yield* Campaigning.draft(stage.sender)
          return yield* written(
            Effect.andThen(Campaigning.begin(stage.sender, id), Campaigning.until(id, "status = 'SENT'"))
          )
        }).pipe(Effect.provideContext(stage.services))
      return run
    }).pipe(own)

    return [
      { name: "a mail of POST /v1/send", target: "<= 6,100", posthorn: sends },
      { name: "a mail of a campaign", target: "<= 3,300", posthorn: campaign }
    ].map((one): Case => ({ ...one, unit: "bytes", baselines: {} }))
  })
}

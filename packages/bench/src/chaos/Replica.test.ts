/** Reads from a streaming replica of a PostgreSQL server, both made for the test. */
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import * as Migrations from "@posthorn/core/platform/migrations/index"
import { ReadSqlClient } from "@posthorn/core/platform/ReadSqlClient"
import { doctor } from "@posthorn/node/Doctor"
import * as Replica from "@posthorn/platform-node/postgres/Replica"
import { ConfigProvider, Duration, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Cluster from "./Cluster.ts"
import { urlThrough } from "./Relay.ts"
import { until } from "./Waiting.ts"

const isInstalled = await Effect.runPromise(Cluster.isInstalled)
if (!isInstalled) console.warn("\nSKIPPED: reads from a replica. There is no initdb here to make servers with.\n")

const session = (url: string) =>
  Layer.orDie(PgClient.layer({ url: Redacted.make(url), startupParameters: { search_path: "posthorn" } }))

const on = <A, E>(url: string, use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.orDie(Effect.provide(SqlClient.SqlClient.use(use), session(url)))

/** Where a read runs, and how many rows it finds. */
const read = Effect.gen(function* () {
  const sql = yield* ReadSqlClient
  if (sql === undefined) return yield* Effect.die(new Error("There is no client for reads"))
  const query = sql`select pg_is_in_recovery() as replica, (select count(*)::int from marks) as marks`
  const [[alone], [within]] = [yield* query, yield* sql.withTransaction(query)]
  assert.deepStrictEqual(alone, within)
  return { replica: alone?.["replica"], marks: alone?.["marks"] }
}).pipe(Effect.orDie)

const finding = (env: Record<string, string>) =>
  Effect.map(
    Effect.provideService(doctor("operate"), ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(env)),
    (findings) => findings.find(({ check }) => check === "read replica")
  )

it.live.skipIf(!isInstalled)(
  "counts and statistics use a replica while it is fresh, and the primary while it is old or away",
  () =>
    Effect.gen(function* () {
      const primary = yield* Cluster.make
      const url = yield* primary.database("replica")
      const standby = yield* primary.standby()
      const behind = urlThrough(url, standby.port)
      yield* Effect.provide(Migrations.migrate, session(url))
      yield* on(url, (sql) => sql`create table marks (n int)`)
      const mark = on(url, (sql) => sql`insert into marks values (1)`)

      const reads = Replica.layer({
        url: Redacted.make(behind),
        schema: "posthorn",
        maxAge: Duration.seconds(2),
        maxConnections: 2
      })
      const env = {
        POSTHORN_DATABASE_URL: url,
        POSTHORN_DATABASE_READ_URL: behind,
        POSTHORN_DATABASE_READ_MAX_AGE_SECONDS: "2",
        POSTHORN_SECRET: "0123456789abcdef0123456789abcdef",
        POSTHORN_CONSOLE: "off"
      }
      yield* Effect.gen(function* () {
        yield* until("reads from the replica", read, ({ replica }) => replica === true)
        assert.include(yield* finding(env), { state: "ok" })

        yield* on(behind, (sql) => sql`select pg_wal_replay_pause()`)
        yield* mark
        // It is behind, and within its bound it still answers.
        assert.deepStrictEqual(yield* read, { replica: true, marks: 0 })
        const late = yield* until("reads from the primary", read, ({ replica }) => replica === false)
        assert.strictEqual(late.marks, 1)
        const { found, state } = (yield* finding(env)) ?? { found: "", state: "" }
        assert.strictEqual(state, "warning")
        assert.match(
          found,
          /^The data of POSTHORN_DATABASE_READ_URL \(.+\) is .+ old\. The primary answers in its place\.$/
        )
        yield* on(behind, (sql) => sql`select pg_wal_replay_resume()`)
        yield* until("reads from the replica", read, ({ replica, marks }) => replica === true && marks === 1)

        // No read fails because the replica is away, and it is used again when it is back.
        yield* standby.stopAtOnce
        assert.deepStrictEqual(yield* read, { replica: false, marks: 1 })
        yield* standby.start
        yield* until("reads from the replica", read, ({ replica }) => replica === true)

        const elsewhere = { ...env, POSTHORN_DATABASE_READ_URL: yield* primary.database("other") }
        assert.match(
          (yield* finding(elsewhere))?.found ?? "",
          /is not a replica of the primary\. The primary answers in its place\.$/
        )
      }).pipe(Effect.provide(Layer.provide(reads, session(url))))
    }).pipe(Effect.scoped),
  120_000
)

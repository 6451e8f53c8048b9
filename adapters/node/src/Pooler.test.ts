/** A server whose connections go through PgBouncer in transaction mode, beside direct ones for what needs a session. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import { isInstalled, startPgBouncer, through } from "@posthorn/core/testing/PgBouncer"
import type {} from "@posthorn/core/testing/template"
import { ConfigProvider, Effect, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
import { doctor } from "./Doctor.ts"
import { eventually, type Program, readiness, start } from "./testing/Program.ts"

const server = inject("postgres")
const Line = Schema.Struct({ url: Schema.NullOr(Schema.String), role: Schema.String })
const others = { POSTHORN_SECRET: "0123456789abcdef0123456789abcdef", POSTHORN_SMTP_URL: "smtp://127.0.0.1:1" }

const within = <A>(url: string, use: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>) =>
  Effect.orDie(Effect.provide(SqlClient.SqlClient.use(use), PgClient.layer({ url: Redacted.make(url) })))

/** A migrated database, and PgBouncer in front of it. */
const pair = Effect.gen(function* () {
  const direct = yield* server === undefined ? Effect.die(new Error("No PostgreSQL answers")) : freshDatabase(server)
  // In a run of all tests through PgBouncer, the database has the settings already.
  yield* within(direct, (sql) =>
    Effect.flatMap(
      sql`select current_database() as name`,
      ([row]) => sql.unsafe(`alter database ${String(row?.["name"])} reset all`).unprepared
    )
  )
  const pooled = through(direct, yield* startPgBouncer(direct))
  return { direct, pooled, env: { ...others, POSTHORN_DATABASE_URL: pooled, POSTHORN_DATABASE_DIRECT_URL: direct } }
})

const serve = Effect.fnUntraced(function* (command: string, env: Record<string, string>) {
  const program = yield* start([command, "--json"], { POSTHORN_PORT: "0", ...env })
  return { program, ...(yield* readiness(program, Line)) }
})

/** The last line of a start that fails. */
const refusal = (env: Record<string, string>) =>
  Effect.map(Effect.flip(serve("serve", env)), (error) =>
    error._tag === "Ended" ? (error.errors.trim().split("\n").at(-1) ?? "") : String(error)
  )

const database = (env: Record<string, string>) =>
  Effect.map(
    Effect.provideService(doctor(), ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(env)),
    (findings) => findings.find(({ check }) => check === "database")
  )

describe.skipIf(server === undefined || !isInstalled)("PgBouncer in transaction mode", () => {
  it.effect("serves all but the listener and the lease, after the start gave the role its settings", () =>
    Effect.gen(function* () {
      const { direct, env } = yield* pair
      // A session that the pooler keeps from before the role has its settings.
      assert.strictEqual((yield* database(env))?.state, "failed")
      const api = yield* serve("serve", { ...env, POSTHORN_ROLE: "api" })
      const worker = yield* serve("worker", env)
      const { status } = yield* Effect.promise(() => fetch(`${api.url}/ready`))
      assert.strictEqual(status, 200)

      const settings = yield* within(
        direct,
        (sql) => sql`select unnest(setconfig) as setting from pg_db_role_setting
          where setdatabase = (select oid from pg_database where datname = current_database()) order by 1`
      )
      assert.deepStrictEqual(settings, [{ setting: "jit=off" }, { setting: "search_path=posthorn" }])
      const sessions = within(
        direct,
        (sql) => sql`select count(*) filter (where query ilike 'listen %')::int as listening,
            count(*) filter (where application_name = 'posthorn lease')::int as leases
          from pg_stat_activity where datname = current_database()`
      )
      yield* eventually(sessions, ([found]) => found?.["listening"] === 1 && found["leases"] === 1)
      const ends = (program: Program) => program.end("SIGTERM")
      assert.deepStrictEqual([yield* ends(worker.program), yield* ends(api.program)], [0, 0])
      assert.strictEqual((yield* database(env))?.state, "ok")
    }).pipe(Effect.scoped, TestClock.withLive)
  )

  it.effect("a start and the doctor say what is wrong with the two URLs", () =>
    Effect.gen(function* () {
      const { direct, pooled, env } = yield* pair
      const { direct: other } = yield* pair

      const alone = { ...others, POSTHORN_DATABASE_URL: pooled }
      assert.match(
        yield* refusal(alone),
        /is a pooler: .* \(08P01\)\. Set POSTHORN_DATABASE_DIRECT_URL to the URL of PostgreSQL itself\.$/
      )
      const twice = { ...env, POSTHORN_DATABASE_DIRECT_URL: pooled }
      assert.match(yield* refusal(twice), /is a pooler: it refuses the settings of our sessions \(08P01\)\.$/)
      const apart = { ...env, POSTHORN_DATABASE_DIRECT_URL: other }
      assert.match(
        yield* refusal(apart),
        /^posthorn: POSTHORN_DATABASE_URL \(.+\) and POSTHORN_DATABASE_DIRECT_URL \(.+\) are different databases\.$/
      )
      assert.match((yield* database(apart))?.found ?? "", /are different databases\.$/)

      assert.match(
        (yield* database(env))?.found ?? "",
        /has sessions without our settings\. .* run: ALTER ROLE postgres IN DATABASE \w+ SET search_path = posthorn; /
      )
      yield* within(direct, (sql) =>
        Effect.flatMap(
          sql`select current_database() as name`,
          ([row]) =>
            sql.unsafe(`alter role postgres in database ${String(row?.["name"])} set search_path = public`).unprepared
        )
      )
      assert.match(
        yield* refusal(env),
        /The role postgres has the search_path public in the database \w+: behind a pooler, Posthorn needs a role of its own\.$/
      )
    }).pipe(Effect.scoped, TestClock.withLive)
  )
})

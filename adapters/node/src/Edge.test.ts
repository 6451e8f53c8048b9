/** A server and a worker on PostgreSQL, with rate limits on Redis and wake-ups over NATS. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import type {} from "@posthorn/core/testing/template"
import { createClient } from "@redis/client"
import { ConfigProvider, Effect, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { doctor } from "./Doctor.ts"
import { call, postJson } from "./testing/ApiCall.ts"
import { freePort } from "./testing/Forwarder.ts"
import { isInstalled, nats, redis } from "./testing/LocalService.ts"
import { eventually, readiness, start } from "./testing/Program.ts"

const server = inject("postgres")
const Line = Schema.Struct({ url: Schema.NullOr(Schema.String), role: Schema.String })

const serve = Effect.fnUntraced(function* (command: string, env: Record<string, string>) {
  const program = yield* start([command, "--json"], { POSTHORN_PORT: "0", ...env })
  return { program, ...(yield* readiness(program, Line)) }
})

const checks = (env: Record<string, string>) =>
  Effect.map(
    Effect.provideService(doctor(), ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(env)),
    (findings) => findings.filter(({ check }) => check === "redis" || check === "nats")
  )

const canRun = server !== undefined && isInstalled("redis-server") && isInstalled("nats-server")

describe.skipIf(!canRun)("Redis and NATS beside PostgreSQL", () => {
  it.live("hold the limits and wake the worker, and no process listens at PostgreSQL", () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase(server ?? assert.fail("No PostgreSQL answers"))
      const [limits, wakeups] = [yield* redis, yield* nats]
      const env = {
        POSTHORN_SECRET: "0123456789abcdef0123456789abcdef",
        POSTHORN_SMTP_URL: "smtp://127.0.0.1:1",
        POSTHORN_DATABASE_URL: database,
        POSTHORN_REDIS_URL: `redis://127.0.0.1:${limits.port}`,
        POSTHORN_NATS_URL: `nats://127.0.0.1:${wakeups.port}`,
        POSTHORN_RATE_LIMIT_PER_MINUTE: "5"
      }
      const api = yield* serve("serve", { ...env, POSTHORN_ROLE: "api" })
      yield* serve("worker", env)
      const statuses: Array<number> = []
      const login = { email: "anna@example.com", password: "correct horse battery" }
      const session = yield* postJson(`${api.url}/auth/signup`, login)
      const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? ""
      for (let n = 0; n < 8; n++) {
        const { status } = yield* call(`${api.url}/users/@me`, { headers: { cookie } })
        statuses.push(status)
      }
      assert.include(statuses, 200)
      const listening = Effect.orDie(
        Effect.provide(
          SqlClient.SqlClient.use(
            (sql) => sql`select pid from pg_stat_activity
              where datname = current_database() and query ilike 'listen %'`
          ),
          PgClient.layer({ url: Redacted.make(database) })
        )
      )
      assert.deepStrictEqual(yield* listening, [])
      const keys = Effect.promise(async () => {
        const client = await createClient({ url: env.POSTHORN_REDIS_URL }).connect()
        const found = await client.keys("posthorn:rate:*")
        client.destroy()
        return found
      })
      yield* eventually(keys, (found) => found.length > 0)
      assert.deepStrictEqual(
        (yield* checks(env)).map(({ check, state }) => [check, state]),
        [
          ["redis", "ok"],
          ["nats", "ok"]
        ]
      )
    })
  )
})

describe.skipIf(server === undefined)("A server without its Redis or NATS", () => {
  it.live("does not start, and the doctor says the same", () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase(server ?? assert.fail("No PostgreSQL answers"))
      const port = yield* freePort
      const env = {
        POSTHORN_SECRET: "0123456789abcdef0123456789abcdef",
        POSTHORN_SMTP_URL: "smtp://127.0.0.1:1",
        POSTHORN_DATABASE_URL: database
      }
      for (const [name, url, check] of [
        ["POSTHORN_REDIS_URL", `redis://:hunter22@127.0.0.1:${port}`, "redis"],
        ["POSTHORN_NATS_URL", `nats://posthorn:hunter22@127.0.0.1:${port}`, "nats"]
      ] as const) {
        const refused = yield* Effect.flip(serve("serve", { ...env, [name]: url }))
        const errors = refused._tag === "Ended" ? refused.errors : String(refused)
        assert.match(
          errors,
          new RegExp(`^posthorn: ${name}: \\w+ at \\w+://127\\.0\\.0\\.1:${port} does not answer: .+\n$`)
        )
        assert.notInclude(errors, "hunter22")
        assert.deepInclude((yield* checks({ ...env, [name]: url }))[0], { check, state: "failed" })
      }
    })
  )
})

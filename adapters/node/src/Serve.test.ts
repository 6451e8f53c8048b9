import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import { dataFolder } from "@posthorn/core/testing/DataFolder"
import type {} from "@posthorn/core/testing/template"
import { Effect, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { call } from "./testing/ApiCall.ts"
import { forward, freePort } from "./testing/Forwarder.ts"
import { eventually, readiness, start } from "./testing/Program.ts"

const Line = Schema.Struct({
  url: Schema.NullOr(Schema.String),
  role: Schema.String,
  database: Schema.String,
  pid: Schema.Int
})

const secret = { POSTHORN_SECRET: "0123456789abcdef0123456789abcdef" }
const smtp = { POSTHORN_SMTP_URL: "smtp://user:hunter22@127.0.0.1:1" }

const serve = Effect.fnUntraced(function* (env: Record<string, string>, ...args: ReadonlyArray<string>) {
  const program = yield* start([...(args.length > 0 ? args : ["serve"]), "--json"], { POSTHORN_PORT: "0", ...env })
  return { program, line: yield* readiness(program, Line) }
})

const checksOf = (url: string | null) => call(`${url}/ready`)

const embedded = () => ({ ...smtp, POSTHORN_DATA_DIR: dataFolder() })

describe("posthorn serve on the embedded database", () => {
  it.live("prints one line when it is ready, has no page of dev mode, and shuts down", () =>
    Effect.gen(function* () {
      const { line, program } = yield* serve(embedded())
      assert.deepStrictEqual(Object.keys(JSON.parse(program.output())), ["url", "role", "database", "pid"])
      assert.include(line, { role: "all", database: "embedded", pid: program.pid })
      const ready = yield* checksOf(line.url)
      assert.strictEqual(ready.status, 200)
      assert.deepStrictEqual(JSON.parse(ready.text), {
        status: "ready",
        checks: {
          database: "ok",
          migrations: "ok",
          storage: "ok",
          workers: "ok",
          mailer: "skipped",
          eventLoop: "skipped"
        }
      })
      for (const path of ["/dev/mailbox", "/dev/mailbox.json", "/dev/clock", "/metrics", "/nothing"]) {
        const { status, text } = yield* call(`${line.url}${path}`)
        assert.strictEqual(status, 404, path)
        assert.include(text, "ROUTE_NOT_FOUND", path)
      }
      assert.strictEqual((yield* call(`${line.url}/dev/session`, { method: "POST" })).status, 404)
      assert.strictEqual((yield* call(`${line.url}/docs`)).status, 200)
      assert.include(program.errors(), "POSTHORN_PUBLIC_URL is not set")
      assert.strictEqual(yield* program.end("SIGINT"), 0)
      assert.notInclude(program.errors() + program.output(), "hunter22")
    })
  )

  it.live("is not ready if uploads have no folder", () =>
    Effect.gen(function* () {
      const env = embedded()
      writeFileSync(join(env.POSTHORN_DATA_DIR, "uploads"), "")
      const { line } = yield* serve(env)
      const { status, text } = yield* checksOf(line.url)
      assert.deepStrictEqual([status, JSON.parse(text).checks.storage], [503, "failed"])
    })
  )

  it.live("shows its metrics to callers with the token", () =>
    Effect.gen(function* () {
      const { line } = yield* serve({ ...embedded(), POSTHORN_METRICS_TOKEN: "scrape-me" })
      const scrape = (authorization?: string) =>
        call(`${line.url}/metrics`, authorization === undefined ? {} : { headers: { authorization } })
      assert.strictEqual((yield* scrape()).status, 404)
      assert.strictEqual((yield* scrape("Bearer scrape-you")).status, 404)
      const { headers, status, text } = yield* scrape("Bearer scrape-me")
      assert.strictEqual(status, 200)
      assert.match(headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/)
      assert.match(text, /^posthorn_http_requests_total\{route="\/metrics",method="GET",status="404"\} 2$/m)
    })
  )

  it.live("serves the console and leads people to it, unless it is switched off", () =>
    Effect.gen(function* () {
      const asPerson = { headers: { accept: "text/html" }, redirect: "manual" } as const
      const looked = Effect.fnUntraced(function* (env: Record<string, string>) {
        const { line } = yield* serve({ ...embedded(), POSTHORN_PUBLIC_URL: "https://mail.example.com", ...env })
        const { urls } = JSON.parse((yield* call(`${line.url}/config`)).text)
        const home = yield* call(`${line.url}/`, asPerson)
        const page = yield* call(`${line.url}/console`, asPerson)
        return [urls.dashboard, home.status, home.headers.get("location"), page.status]
      })
      // 503 where the console has not been built.
      const [dashboard, home, location, page] = yield* Effect.scoped(looked({}))
      assert.deepStrictEqual([dashboard, home, location], ["https://mail.example.com/console", 302, "/console"])
      assert.isTrue(page === 200 || page === 503)
      assert.deepStrictEqual(yield* Effect.scoped(looked({ POSTHORN_CONSOLE: "off" })), [null, 404, null, 404])
    })
  )

  it.live("limits the headers of a request", () =>
    Effect.gen(function* () {
      const { line } = yield* serve(embedded())
      const { status } = yield* call(`${line.url}/health`, { headers: { "x-large": "a".repeat(17_000) } })
      assert.strictEqual(status, 431)
    })
  )

  it.live("names the port that is in use", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      yield* forward(port, { host: "127.0.0.1", port })
      const refused = yield* Effect.flip(serve({ ...embedded(), POSTHORN_PORT: String(port) }))
      assert.strictEqual(refused.code, 1)
      assert.strictEqual(
        refused.errors,
        `posthorn: 127.0.0.1:${port} is in use; stop the program that uses it, or choose another port with --port or POSTHORN_PORT.\n`
      )
    })
  )

  it.live("cannot run in two processes, because they would need the same folder", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(serve(embedded(), "worker"))
      assert.strictEqual(refused.code, 2)
      assert.include(refused.errors, 'POSTHORN_ROLE is "worker", which needs POSTHORN_DATABASE_URL')
    })
  )
})

const server = inject("postgres")

/** A migrated database for one test, on the test server. */
const served = Effect.map(
  Effect.suspend(() => (server === undefined ? Effect.die("no server") : freshDatabase(server))),
  (url) => ({ ...secret, ...smtp, POSTHORN_DATABASE_URL: url })
)

const execute = (url: string, statement: string) =>
  Effect.orDie(
    Effect.provide(
      SqlClient.SqlClient.use((sql) => sql.unsafe(statement)),
      PgClient.layer({ url: Redacted.make(url) })
    )
  )

describe.runIf(server !== undefined)("posthorn serve on PostgreSQL", () => {
  it.live("answers requests in one process and delivers in another, each with its own readiness", () =>
    Effect.gen(function* () {
      const env = yield* served
      const api = yield* serve({ ...env, POSTHORN_ROLE: "api" })
      assert.strictEqual(api.line.role, "api")
      assert.match(api.line.database, /^postgres:\/\/127\.0\.0\.1:\d+\/posthorn_test_\w+$/)
      const answering = yield* checksOf(api.line.url)
      assert.include(answering.text, '"workers":"skipped"')
      assert.strictEqual(answering.status, 200)

      const worker = yield* serve(env, "worker")
      assert.strictEqual(worker.line.role, "worker")
      const working = yield* checksOf(worker.line.url)
      assert.include(working.text, '"workers":"ok"')
      assert.strictEqual((yield* call(`${worker.line.url}/v1/send`, { method: "POST" })).status, 404)
      assert.strictEqual(yield* worker.program.end("SIGTERM"), 0)
      assert.strictEqual(yield* api.program.end("SIGTERM"), 0)
    })
  )

  it.live("a worker without a port does not listen", () =>
    Effect.gen(function* () {
      const { line, program } = yield* serve({ ...(yield* served), POSTHORN_PORT: "" }, "worker")
      assert.isNull(line.url)
      assert.strictEqual(yield* program.end("SIGTERM"), 0)
    })
  )

  it.live("pending migrations are applied, or refused with --no-migrate", () =>
    Effect.gen(function* () {
      const env = yield* served
      yield* execute(env.POSTHORN_DATABASE_URL, "drop schema posthorn cascade")
      const refused = yield* Effect.flip(serve(env, "serve", "--no-migrate"))
      assert.strictEqual(refused.code, 1)
      assert.match(refused.errors, /^posthorn: The database lacks 0001_projects, .* or start without --no-migrate\.\n$/)
      assert.strictEqual((yield* checksOf((yield* serve(env)).line.url)).status, 200)
      assert.strictEqual((yield* checksOf((yield* serve(env, "serve", "--no-migrate")).line.url)).status, 200)
    })
  )

  it.live("waits for a database that does not answer yet", () =>
    Effect.gen(function* () {
      const env = yield* served
      const { hostname, port, pathname } = new URL(env.POSTHORN_DATABASE_URL)
      const near = yield* freePort
      const late = { ...env, POSTHORN_DATABASE_URL: `postgres://postgres@127.0.0.1:${near}${pathname}` }
      const program = yield* start(["serve", "--json"], { POSTHORN_PORT: "0", ...late })
      yield* eventually(Effect.sync(program.errors), (errors) => errors.includes("Trying again in 1s"))
      assert.include(program.errors(), `postgres://127.0.0.1:${near}${pathname} does not answer (ECONNREFUSED).`)
      assert.strictEqual(program.output(), "")
      yield* forward(near, { host: hostname, port: Number(port || 5432) })
      assert.strictEqual((yield* readiness(program, Line)).role, "all")
    })
  )

  it.live("does not wait for a database that cannot exist", () =>
    Effect.gen(function* () {
      const env = yield* served
      const refused = (change: (url: URL) => void) => {
        const url = new URL(env.POSTHORN_DATABASE_URL)
        change(url)
        return Effect.flip(serve({ ...env, POSTHORN_DATABASE_URL: url.href }))
      }
      const nowhere = yield* refused((url) => {
        url.pathname = "/nowhere"
      })
      assert.strictEqual(nowhere.code, 1)
      assert.match(nowhere.errors, /does not have this database; create it, or correct the URL \(3D000\)\.\n$/)
      const nobody = yield* refused((url) => {
        url.username = ""
      })
      assert.match(nobody.errors, /cannot be used \(No username configured\)\.\n$/)
    })
  )

  it.live("shuts down while it waits", () =>
    Effect.gen(function* () {
      const env = { ...(yield* served), POSTHORN_DATABASE_URL: `postgres://app@127.0.0.1:${yield* freePort}/x` }
      const program = yield* start(["serve", "--json"], { POSTHORN_PORT: "0", ...env })
      yield* eventually(Effect.sync(program.errors), (errors) => errors.includes("Trying again"))
      assert.strictEqual(yield* program.end("SIGTERM"), 0)
    })
  )
})

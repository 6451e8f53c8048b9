/** Posthorn does not disturb the application's process, and transactions survive when that process dies. */
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import { dataFolder } from "@posthorn/core/testing/DataFolder"
import type {} from "@posthorn/core/testing/template"
import { startSink } from "@posthorn/mailer-smtp/testing"
import { Effect, Exit, Scope } from "effect"
import pg from "pg"
import { afterAll, assert, beforeAll, describe, inject, it, vi } from "vitest"
import { createPosthorn, type LogRecord } from "./index.ts"
import { until } from "./testing/Until.ts"

const server = inject("postgres")
const scope = Scope.makeUnsafe()
let sink: Awaited<ReturnType<typeof startSink>>
let smtp: string
let url: string | undefined

beforeAll(async () => {
  sink = await startSink({})
  smtp = `smtp://127.0.0.1:${sink.port}?tls=none`
  if (server !== undefined) url = await Effect.runPromise(Scope.provide(freshDatabase(server), scope))
})
afterAll(async () => {
  await sink.close()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

const start = (program: string, ...args: ReadonlyArray<string>) => {
  const path = new URL(`./testing/${program}.ts`, import.meta.url).pathname
  return spawn(process.execPath, [path, ...args], { stdio: ["ignore", "pipe", "pipe"], env: {} })
}

describe("A guest in the process", () => {
  it("reads no environment, handles no signal, patches nothing, writes to no stream, and lets the process end", async () => {
    const app = start("Guest", url ?? dataFolder(), smtp)
    const ended = new Promise((resolve) => app.on("exit", resolve))
    const [seen, errors] = await Promise.all([text(app.stdout), text(app.stderr)])
    assert.strictEqual(errors, "")
    const { read, ...changed } = JSON.parse(seen)
    assert.deepStrictEqual(changed, { replaced: [], listeners: [] })
    const ours = read.filter((one: string) => !one.endsWith(" library") || /^(?:POSTHORN|PG|SMTP)/.test(one))
    assert.deepStrictEqual(ours, [])
    assert.strictEqual(await ended, 0)
  })
})

describe.skipIf(server === undefined)("A database that cannot be used", () => {
  it("logs a failed request to onLog and to no stream", async () => {
    const working = new pg.Pool({ connectionString: url })
    const records: Array<LogRecord> = []
    let isDown = false
    const posthorn = await createPosthorn({
      database: { pool: { connect: () => (isDown ? Promise.reject(new Error("out of reach")) : working.connect()) } },
      mailer: { smtp },
      publicUrl: "https://app.example",
      secret: "0123456789abcdef0123456789abcdef",
      workers: false,
      onLog: (record) => records.push(record)
    })
    const { project } = await posthorn.run(Projects.use(({ create }) => create("Shop")))
    await posthorn.run(Effect.logWarning("Seen", 3, { count: 2 }))
    assert.deepInclude(records.at(-1), { level: "Warn", message: "Seen 3", fields: { count: 2 } })
    const written = (["log", "error", "warn", "info", "debug"] as const).map((name) => vi.spyOn(console, name))
    isDown = true
    const { error, meta } = await posthorn.client(project.id).contacts.list({}, { retries: 0 }).page()
    assert.strictEqual(error?.code, "SERVICE_UNAVAILABLE")
    const failed = records.find(({ message }) => message.startsWith("Request failed"))
    assert.deepInclude(failed?.fields, { requestId: meta.requestId, method: "GET", path: "/contacts" })
    for (const spy of written) {
      assert.isEmpty(spy.mock.calls)
      spy.mockRestore()
    }
    await posthorn.close()
    await working.end()
  })

  it("has no connections left after createPosthorn rejects", async () => {
    const scratch = new pg.Client({ connectionString: url })
    await scratch.connect()
    await scratch.query("insert into posthorn.migrations (migration_id, name) values (9999, 'from_the_future')")
    const refused = await createPosthorn({
      database: url ?? "",
      mailer: { smtp },
      publicUrl: "https://app.example",
      secret: "0123456789abcdef0123456789abcdef"
    }).catch((error) => error)
    const open = async (): Promise<number> =>
      (
        await scratch.query(
          "select from pg_stat_activity where datname = current_database() and application_name = 'posthorn'"
        )
      ).rows.length
    for (let waited = 0; (await open()) > 0 && waited < 20_000; waited += 20)
      await new Promise((go) => setTimeout(go, 20))
    const left = await open()
    await scratch.query("delete from posthorn.migrations where migration_id = 9999")
    await scratch.end()
    assert.match(refused.message, /newer than this program/)
    assert.strictEqual(left, 0)
  })
})

describe.skipIf(server === undefined)("Orders and their mail, in an application that is killed", () => {
  it("after kill -9 at any moment, every order has a mail and every mail an order, and each mail is sent once", async () => {
    const pool = new pg.Pool({ connectionString: url })
    await pool.query("create table orders (id text primary key)")
    const posthorn = await createPosthorn({
      database: { pool },
      mailer: { smtp },
      publicUrl: "https://app.example",
      secret: "0123456789abcdef0123456789abcdef",
      settings: { devMode: true }
    })
    const { project } = await posthorn.run(Projects.use(({ create }) => create("Shop")))
    const client = posthorn.client(project.id)
    await client.domains.add({ domain: "app.test" }).orThrow()

    const answered = new Set<string>()
    for (const life of ["1", "2"]) {
      const app = start("OrderApp", url ?? "", project.id, life)
      const gone = new Promise((resolve) => app.on("exit", resolve))
      let lines = ""
      app.stdout.on("data", (chunk) => (lines += chunk))
      await until(() => lines.split("\n").length > 12 * Number(life))
      app.kill("SIGKILL")
      await gone
      for (const [, id] of lines.matchAll(/"order":"([^"]+)"/g)) answered.add(id ?? "")
    }

    const orders = new Set((await pool.query("select id from orders")).rows.map(({ id }) => id))
    const mails = new Set<string>()
    for await (const { subject } of client.emails.list({ limit: 100 })) mails.add(subject ?? "")
    assert.deepStrictEqual([...mails].sort(), [...orders].sort())
    assert.isTrue(answered.isSubsetOf(orders), "what was answered is there")

    const subjects = () => sink.mails.flatMap(({ raw }) => /^Subject: (order-.*?)\r$/m.exec(String(raw))?.[1] ?? [])
    await until(() => new Set(subjects()).size === orders.size)
    assert.lengthOf(subjects(), orders.size)
    await posthorn.close()
    await pool.end()
  })
})

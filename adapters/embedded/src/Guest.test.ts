/** What an application may expect of a guest in its process, and of its transactions when the process dies. */
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { Projects } from "@posthorn/core/projects/Projects"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import { dataFolder } from "@posthorn/core/testing/DataFolder"
import type {} from "@posthorn/core/testing/template"
import { startSink } from "@posthorn/mailer-smtp/testing"
import { Effect, Exit, Scope } from "effect"
import pg from "pg"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { createPosthorn } from "./index.ts"
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
  it("reads no environment, listens to no signal, replaces nothing, writes nothing, and lets the process end", async () => {
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

describe.skipIf(server === undefined)("Orders and their mail, in an application that is killed", () => {
  it("kill -9 at any moment leaves a mail for every order and an order for every mail, and each is sent once", async () => {
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

import { type ChildProcess, spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import { Domains } from "@posthorn/core/mail/domains/Domains"
import { dataFolder, newFolder } from "@posthorn/core/testing/DataFolder"
import { startSink } from "@posthorn/mailer-smtp/testing"
import { Effect, Redacted } from "effect"
import { Pool } from "pg"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { createPosthorn, DatabaseRefused } from "./index.ts"
import { until } from "./testing/Until.ts"

const options = (smtp: string, dataDir = dataFolder()) => ({
  database: { dataDir },
  mailer: { smtp },
  publicUrl: "https://app.example",
  secret: "0123456789abcdef0123456789abcdef",
  settings: { devMode: true }
})

const server = inject("postgres")

let sink: Awaited<ReturnType<typeof startSink>>
let smtp: string
beforeAll(async () => {
  sink = await startSink({})
  smtp = `smtp://127.0.0.1:${sink.port}?tls=none`
})
afterAll(() => sink.close())

describe("createPosthorn", () => {
  it("client, fetch and services use one database, and the data remains after close", async () => {
    const dataDir = newFolder()
    const first = await createPosthorn(options(smtp, dataDir))
    const { project, keys } = await first.run(Projects.use(({ create }) => create("App")))
    const client = first.client(project.id)
    const { data: contact } = await client.contacts.upsert({ email: "anna@example.com", data: { plan: "pro" } })
    assert.isNotNull(contact)
    const authorization = `Bearer ${Redacted.value(keys.secretKey)}`
    const url = `http://localhost/contacts/${contact?.id}`
    const answer = await first.fetch(new Request(url, { headers: { authorization } }))
    assert.include(await answer.text(), "anna@example.com")
    assert.strictEqual((await first.fetch(new Request(url))).status, 401, "fetch requires a key")
    await first.close()

    const providers = [{ provider: "ACME", mxSuffixes: [".acme.net"], ratePerMinute: 60 }]
    const wrong = createPosthorn({ ...options(smtp, dataDir), providers: [{ provider: "acme" }] })
    const refused = await wrong.then(
      () => "",
      ({ message }: Error) => message
    )
    assert.match(refused, /^providers: The id of a provider/)
    const second = await createPosthorn({ ...options(smtp, dataDir), providers })
    const { data } = await second.client(project.id).contacts.get(contact?.id ?? "")
    assert.deepStrictEqual(data?.data, { plan: "pro" })
    const stranger = await second.client("019a0000-0000-7000-8000-00000000dead").contacts.list().page()
    assert.strictEqual(stranger.error?.code, "INVALID_API_KEY")
    assert.throws(() => second.client("shop"), /projectId is "shop", which is not the id of a project/)
    await second.close()
  })

  it("an email accepted in the process is sent with a signature, and its state can be read", async () => {
    const posthorn = await createPosthorn(options(smtp))
    const { project } = await posthorn.run(Projects.use(({ create }) => create("App")))
    await posthorn.run(Effect.orDie(Domains.use(({ add }) => add(project.id, { domain: "app.test" }))))
    const client = posthorn.client(project.id)
    const before = sink.accepted()
    const sent = await client.send({ to: "eva@example.com", from: "hi@app.test", subject: "Hi", body: "<p>Hi</p>" })
    await until(() => sink.accepted() > before)
    const mail = sink.mails.at(-1)
    assert.include(String(mail?.raw), "DKIM-Signature:")
    const id = sent.data?.emails[0]?.email ?? ""
    for (let waited = 0; waited < 5000; waited += 50) {
      if ((await client.emails.get(id)).data?.status === "SENT") break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    assert.strictEqual((await client.emails.get(id)).data?.status, "SENT")
    await posthorn.close()
  })

  it("serves the pages and the tracking links of its mail", async () => {
    const posthorn = await createPosthorn(options(smtp))
    const { project } = await posthorn.run(Projects.use(({ create }) => create("App")))
    await posthorn.run(Effect.orDie(Domains.use(({ add }) => add(project.id, { domain: "app.test" }))))
    const client = posthorn.client(project.id)
    const body = '<a href="https://shop.example/">s</a> <a href="{{unsubscribeUrl}}">u</a>'
    const mail = { to: "uma@example.com", from: "hi@app.test", subject: "Hi", body, subscribed: true }
    const before = sink.accepted()
    const sent = await client.send(mail)
    await until(() => sink.accepted() > before)
    const raw = String(sink.mails.at(-1)?.raw)
      .replaceAll("=\r\n", "")
      // Also a dot at the beginning of a line.
      .replaceAll(/=([0-9A-F]{2})/g, (_, octet) => String.fromCharCode(Number.parseInt(octet, 16)))
    const visit = (path: string | undefined, init: RequestInit = {}) =>
      posthorn.fetch(new Request(`https://app.example${path}`, { redirect: "manual", ...init }))
    const click = await visit(/(\/t\/c\/[^"]+)"/.exec(raw)?.[1])
    assert.deepStrictEqual([click.status, click.headers.get("location")], [302, "https://shop.example/"])
    const pixel = await visit(/(\/t\/o\/[^"]+)"/.exec(raw)?.[1])
    assert.strictEqual(pixel.headers.get("content-type"), "image/gif")
    const page = /(\/unsubscribe\/[\w-]+)/.exec(raw)?.[1]
    assert.include(await (await visit(page)).text(), "u***@example.com")
    assert.strictEqual((await visit("/pages.css")).status, 200)
    const form = new URLSearchParams({ "List-Unsubscribe": "One-Click" })
    assert.strictEqual(await (await visit(page, { method: "POST", body: form })).text(), "Unsubscribed")
    const contact = sent.data?.emails[0]?.contact.id ?? ""
    assert.strictEqual((await client.contacts.get(contact)).data?.subscribed, false)
    const email = await client.emails.get(sent.data?.emails[0]?.email ?? "")
    assert.deepInclude(email.data, { status: "CLICKED", clicks: 1, opens: 1, machineClicks: 1 })
    await posthorn.close()
  })

  it.runIf(server !== undefined)("rejects with one sentence if the database cannot be used", async () => {
    const missing = new URL(server?.url ?? "")
    missing.pathname = "/posthorn_not_there"
    const pool = new Pool({ connectionString: missing.href })
    for (const [database, sentence] of [
      [missing.href, /^postgres(ql)?:\/\/[^@]+ does not have this database; .* \(3D000\)\.$/],
      [
        "postgres://user:secret@127.0.0.1:1/shop",
        /^postgres:\/\/127\.0\.0\.1:1\/shop does not answer \(ECONNREFUSED\)\.$/
      ],
      [{ pool }, /^The database of the pool does not have this database/]
    ] as const) {
      const refused = await createPosthorn({ ...options(smtp), database }).then(
        () => assert.fail("it started"),
        (error) => error
      )
      assert.instanceOf(refused, DatabaseRefused)
      assert.match(refused.message, sentence)
    }
    await pool.end()
  })

  it("keeps the application's umask", async () => {
    const before = process.umask()
    const posthorn = await createPosthorn(options(smtp))
    assert.strictEqual(process.umask(), before)
    await posthorn.close()
  })

  it("accepts what was encrypted and signed with a previous secret", async () => {
    const dataDir = newFolder()
    const first = await createPosthorn(options(smtp, dataDir))
    const { project } = await first.run(Projects.use(({ create }) => create("App")))
    await first.run(Effect.orDie(Domains.use(({ add }) => add(project.id, { domain: "app.test" }))))
    await first.close()
    const { secret, ...rest } = options(smtp, dataDir)
    const second = await createPosthorn({
      ...rest,
      secret: "another secret of thirty-two bytes or more",
      previousSecrets: [secret]
    })
    const before = sink.accepted()
    const sent = await second
      .client(project.id)
      .send({ to: "eva@example.com", from: "hi@app.test", subject: "Hi", body: "<p>Hi</p>" })
    assert.isNull(sent.error)
    // The key that signs it was sealed with the first secret.
    await until(() => sink.accepted() > before)
    assert.include(String(sink.mails.at(-1)?.raw), "d=app.test")
    await second.close()
  })

  it("names the option that is not valid", async () => {
    for (const [wrong, sentence] of [
      [{ secret: "short" }, /32 bytes/],
      [{ publicUrl: "nonsense" }, /publicUrl/],
      [{ database: "" }, /database is missing/],
      [{ mailer: { smtp: "http://example.com" } }, /smtp/i]
    ] as const) {
      const refused = await createPosthorn({ ...options(smtp), ...wrong }).then(
        () => "accepted",
        (error) => String(error?.message ?? error)
      )
      assert.match(refused, sentence)
    }
  })
})

/** Shared with the servers of other tests: it halves the time of a start. */
const compileCache = join(tmpdir(), "node-compile-cache")

/** An application in its own process. */
const start = (dataDir: string) => {
  const app: ChildProcess = spawn(
    process.execPath,
    [new URL("./testing/EmbeddedApp.ts", import.meta.url).pathname, dataDir, smtp],
    { stdio: ["pipe", "pipe", "pipe"], env: { NODE_COMPILE_CACHE: compileCache } }
  )
  const lines: Array<Record<string, unknown>> = []
  let stderr = ""
  app.stderr?.on("data", (chunk) => (stderr += chunk))
  if (app.stdout) createInterface({ input: app.stdout }).on("line", (line) => lines.push(JSON.parse(line)))
  const gone = new Promise<number | null>((resolve) => app.on("exit", (code) => resolve(code)))
  const say = (...command: ReadonlyArray<unknown>) => app.stdin?.write(`${JSON.stringify(command)}\n`)
  return { app, lines, say, gone, stderr: () => stderr }
}

describe("An application with Posthorn inside", () => {
  it("loses no accepted mail after kill -9, and sends each mail once that was not in transmission", async () => {
    const dataDir = dataFolder()
    const accepted = new Set<string>()
    let number = 0
    for (let life = 0; life < 4; life++) {
      const { app, lines, say, gone } = start(dataDir)
      await until(() => lines.some(({ ready }) => ready === true))
      const already = lines.length
      for (let n = 0; n < 30; n++) say("send", number++)
      await until(() => lines.length >= already + 10 + life * 5)
      app.kill("SIGKILL")
      await gone
      for (const { email } of lines) if (typeof email === "string") accepted.add(email)
    }
    const last = start(dataDir)
    await until(() => last.lines.some(({ ready }) => ready === true))
    const idOf = (message: unknown) => /X-Posthorn-Email-Id: ([\w-]+)/i.exec(String(message))?.[1] ?? ""
    const copies = new Map<string, number>()
    const count = () => {
      copies.clear()
      for (const { raw } of sink.mails) copies.set(idOf(raw), (copies.get(idOf(raw)) ?? 0) + 1)
    }
    await until(() => {
      count()
      return [...accepted].every((id) => copies.has(id))
    })
    assert.isAtLeast(accepted.size, 40)
    last.say("close")
    assert.strictEqual(await last.gone, 0, "nothing keeps the process alive after close")
    assert.strictEqual(last.stderr(), "", "and nothing was written")
  }, 120_000)

  it("a second process on the folder fails with the process id of the first", async () => {
    const dataDir = dataFolder()
    const first = start(dataDir)
    await until(() => first.lines.length > 0)
    const second = start(dataDir)
    assert.strictEqual(await second.gone, 1)
    assert.match(String(second.lines[0]?.["refused"]), new RegExp(`in use by process ${first.app.pid}`))
    first.say("close")
    await first.gone
  })
})

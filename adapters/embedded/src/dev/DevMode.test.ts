/** The dev mode of an application, over a real server: its mailbox, its outcomes, its webhooks and its errors. */
import { once } from "node:events"
import { existsSync, globSync } from "node:fs"
import { createServer, type RequestListener, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import { dataFolder } from "@posthorn/core/testing/DataFolder"
import type {} from "@posthorn/core/testing/template"
import { startSink } from "@posthorn/mailer-smtp/testing"
import { Effect, Exit, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { createPosthorn, InvalidOption, type LogRecord, type Posthorn } from "../index.ts"

const own = {
  publicUrl: "http://localhost:4099/mail",
  secret: "0123456789abcdef0123456789abcdef"
}

const listening = async (listener: RequestListener): Promise<{ readonly server: Server; readonly url: string }> => {
  const server = createServer(listener)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return { server, url: `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : ""}` }
}

const eventually = async <A>(look: () => Promise<A>, isSo: (found: A) => boolean): Promise<A> => {
  for (let waited = 0; ; waited += 50) {
    const found = await look()
    if (isSo(found) || waited > 60_000) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

interface Listed {
  readonly total: number
  readonly data: ReadonlyArray<{ readonly id: string; readonly subject: string; readonly emailId: string }>
}

const listedAt = async (mailbox: string): Promise<Listed> => JSON.parse(await (await fetch(`${mailbox}.json`)).text())

const mailTo = (to: string) => ({ to, from: "hi@app.test", subject: `To ${to}`, body: "<p>Hello</p>" })

describe("dev: true", () => {
  const dataDir = dataFolder()
  const records: Array<LogRecord> = []
  let posthorn: Posthorn
  let app: Awaited<ReturnType<typeof listening>>
  let mailbox: string
  let project: string
  beforeAll(async () => {
    posthorn = await createPosthorn({
      ...own,
      database: { dataDir },
      dev: true,
      onLog: (record) => records.push(record)
    })
    app = await listening(posthorn.node)
    mailbox = `${app.url}/mail/dev/mailbox`
    project = (await posthorn.ensureProject("App")).id
  })
  afterAll(async () => {
    app.server.closeAllConnections()
    app.server.close()
    await posthorn.close()
  })

  const settled = (id: string, status: string) =>
    eventually(
      async () => (await posthorn.client(project).emails.get(id).orThrow()).status,
      (found) => found === status
    )
  const sendTo = async (to: string) => {
    const { emails } = await posthorn.client(project).send(mailTo(to)).orThrow()
    return emails[0]?.email ?? ""
  }

  it("verifies a domain under .test without DNS, and keeps the email of a project without a mailer in the mailbox", async () => {
    const domain = await posthorn.client(project).domains.add({ domain: "app.test" }).orThrow()
    assert.strictEqual(domain.status, "VERIFIED")
    const { checks } = await posthorn.client(project).domains.health(domain.id).orThrow()
    const statusOf = (check: string) => checks.find(({ id }) => id === check)?.status
    // Without DNS it is known only what Posthorn itself does.
    assert.deepStrictEqual(["dkim", "alignment", "spf", "bimi"].map(statusOf), ["PASS", "PASS", "UNKNOWN", "UNKNOWN"])
    const id = await sendTo("anna@example.com")
    const { data } = await eventually(
      () => listedAt(mailbox),
      ({ total }) => total === 1
    )
    assert.deepInclude(data[0], { emailId: id, subject: "To anna@example.com" })
    const eml = await fetch(`${mailbox}/${data[0]?.id}.eml`)
    assert.strictEqual(eml.headers.get("content-type"), "message/rfc822")
    assert.include(await eml.text(), "DKIM-Signature:")
    assert.strictEqual(await settled(id, "DELIVERED"), "DELIVERED")
  })

  it("links its pages to each other below the path of the application", async () => {
    const list = await (await fetch(mailbox)).text()
    const links = (page: string, at: string) =>
      [...page.matchAll(/(?:href|src|action)="([^"#]+)"/g)].map(([, link = ""]) => new URL(link, at).href)
    const mail = links(list, mailbox).find((link) => /mailbox\/[\w-]+$/.test(link)) ?? ""
    const page = await (await fetch(mail)).text()
    const all = [...links(list, mailbox), ...links(page, mail)].filter((link) => link.startsWith("http"))
    assert.isAtLeast(all.length, 8)
    for (const link of new Set(all)) {
      assert.isTrue(link.startsWith(`${app.url}/mail/dev/mailbox`), link)
      const { status } = await fetch(link, { method: link.endsWith("/clear") ? "HEAD" : "GET" })
      assert.strictEqual(status, link.endsWith("/clear") ? 404 : 200, link)
    }
    const cleared = await fetch(`${mailbox}/clear`, { method: "POST", redirect: "manual" })
    assert.strictEqual(new URL(cleared.headers.get("location") ?? "", `${mailbox}/clear`).href, mailbox)
  })

  it("simulates the outcome that an address under .test names", async () => {
    const bounced = await sendTo("bounced@shop.test")
    const complained = await sendTo("complained@shop.test")
    assert.strictEqual(await settled(bounced, "BOUNCED"), "BOUNCED")
    assert.strictEqual(await settled(complained, "COMPLAINED"), "COMPLAINED")
  })

  it("calls webhooks on this machine", async () => {
    const heard: Array<string> = []
    const peer = await listening(async (request, response) => {
      heard.push(await text(request))
      response.end()
    })
    await posthorn
      .client(project)
      .webhooks.create({ url: `${peer.url}/hook`, events: ["*"] })
      .orThrow()
    const id = await sendTo("hook@example.com")
    const all = await eventually(
      async () => heard.join(),
      (calls) => calls.includes(id)
    )
    assert.include(all, id)
    peer.server.closeAllConnections()
    peer.server.close()
  })

  it("logs at the start that it is on, and where the mailbox is", () => {
    const [warning] = records.filter(({ level }) => level === "Warn")
    assert.match(warning?.message ?? "", /^The option dev is on, .*http:\/\/localhost:4099\/mail\/dev\/mailbox\.$/)
  })

  const from = (headers: Record<string, string>, address?: string) =>
    posthorn.fetch(new Request("http://localhost:4099/mail/dev/mailbox", { headers }), { address })

  it.each([
    ["this machine by fetch", {}, undefined, 200],
    ["this machine by a connection", { host: "localhost:4099" }, "127.0.0.1", 200],
    ["the server of Next.js for this machine", { host: "localhost:4099", "x-forwarded-for": "::1" }, undefined, 200],
    ["another machine by a connection", { host: "localhost:4099" }, "192.0.2.7", 403],
    ["another machine through a proxy", { "x-forwarded-for": "192.0.2.7" }, "127.0.0.1", 403],
    ["another machine through two", { "x-forwarded-for": "127.0.0.1, 192.0.2.7" }, undefined, 403],
    ["another name by fetch", { host: "app.example" }, undefined, 403],
    ["another name by a connection", { host: "app.example" }, "127.0.0.1", 403],
    ["a page of another site", { host: "localhost:4099", origin: "https://evil.example" }, "127.0.0.1", 403]
  ] as const)("answers %s with the right status", async (_, headers, address, status) => {
    assert.strictEqual((await from(headers, address)).status, status)
  })

  it("keeps the mailbox in the data folder", async () => {
    const id = await sendTo("kept@example.com")
    assert.strictEqual(await settled(id, "DELIVERED"), "DELIVERED")
    assert.isNotEmpty(globSync(join(dataDir, "mailbox", "*.eml")))
  })

  it("logs errors in full", async () => {
    await posthorn.run(Effect.orDie(SqlClient.SqlClient.use((sql) => sql`alter table contacts rename to gone`)))
    const { error } = await posthorn.client(project).contacts.list().page()
    assert.strictEqual(error?.statusCode, 500)
    await posthorn.run(Effect.orDie(SqlClient.SqlClient.use((sql) => sql`alter table gone rename to contacts`)))
    const record = records.find(({ message }) => message.startsWith("Request failed"))
    assert.match(`${record?.message} ${record?.fields["cause"]}`, /\n +at /)
    assert.include(`${record?.message} ${record?.fields["cause"]}`, '"contacts" does not exist')
  })
})

describe("The option dev", () => {
  it("sends with a mailer, and keeps a copy in the mailbox", async () => {
    const sink = await startSink({})
    const mailer = { smtp: `smtp://127.0.0.1:${sink.port}?tls=none` }
    const posthorn = await createPosthorn({ ...own, database: { dataDir: dataFolder() }, mailer, dev: true })
    const client = posthorn.client((await posthorn.ensureProject("App")).id)
    await client.domains.add({ domain: "app.test" }).orThrow()
    await client.send(mailTo("anna@example.com")).orThrow()
    const mailbox = async (): Promise<Listed> =>
      JSON.parse(await (await posthorn.fetch(new Request("http://localhost/dev/mailbox.json"))).text())
    assert.lengthOf((await eventually(mailbox, ({ total }) => total === 1)).data, 1)
    assert.strictEqual(sink.accepted(), 1)
    await posthorn.close()
    await sink.close()
  })

  it("is off by default: there is no page under /dev, and a mailer is required", async () => {
    const mailer = { smtp: "smtp://127.0.0.1:1?tls=none" }
    const posthorn = await createPosthorn({ ...own, database: { dataDir: dataFolder() }, mailer, workers: false })
    const answer = await posthorn.fetch(new Request("http://localhost/dev/mailbox"))
    assert.strictEqual(answer.status, 404)
    await posthorn.close()
    // As a program in JavaScript may call it.
    const options: Parameters<typeof createPosthorn>[0] = JSON.parse(
      JSON.stringify({ ...own, database: { dataDir: dataFolder() } })
    )
    const refused = await createPosthorn(options).catch((error) => error)
    assert.instanceOf(refused, InvalidOption)
    assert.match(refused.message, /^mailer is missing: pass/)
  })

  const server = inject("postgres")
  it.skipIf(server === undefined)("removes its mailbox at the end if the database is a server", async () => {
    const scope = Scope.makeUnsafe()
    const database = await Effect.runPromise(Scope.provide(freshDatabase(server ?? assert.fail()), scope))
    const folders = () => new Set(globSync(join(tmpdir(), "posthorn-mailbox-*")))
    const before = folders()
    const posthorn = await createPosthorn({ ...own, database, dev: true })
    const client = posthorn.client((await posthorn.ensureProject("App")).id)
    await client.domains.add({ domain: "app.test" }).orThrow()
    await client.send(mailTo("anna@example.com")).orThrow()
    const made = [...folders()].filter((folder) => !before.has(folder))
    const mine = await eventually(
      async () => made.find((folder) => globSync(join(folder, "*.eml")).length === 1),
      (folder) => folder !== undefined
    )
    await posthorn.close()
    assert.isDefined(mine)
    assert.isFalse(existsSync(mine ?? ""))
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
})

/** The same without settings: `posthorn dev` on an empty folder, with its keys, mailbox and domain. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { publish } from "@posthorn/core/mail/domains/DnsResolverMemory"
import { newFolder } from "@posthorn/core/testing/DataFolder"
import { dnsStub } from "@posthorn/platform-node/testing/DnsStub"
import { Effect, Schema } from "effect"
import { body, call } from "../testing/ApiCall.ts"
import { eventually, readiness, start } from "../testing/Program.ts"
import { Domain, emailOf, request, send, succeed } from "./testing/Caller.ts"
import { assertWellFormed, bothKeys, parsed, verdicts } from "./testing/Received.ts"

const Line = Schema.Struct({
  url: Schema.String,
  projectId: Schema.String,
  publicKey: Schema.String,
  secretKey: Schema.String,
  domain: Schema.String,
  mailbox: Schema.String
})

const Mailbox = Schema.Struct({
  total: Schema.Int,
  data: Schema.Array(Schema.Struct({ id: Schema.String, emailId: Schema.String, subject: Schema.String }))
})

it.live("the page at /dev shows the keys and links to existing pages, for this machine only", () =>
  Effect.gen(function* () {
    const folder = join(newFolder(), "start")
    const program = yield* start(["dev", "--json", "--open"], { POSTHORN_PORT: "0", POSTHORN_DATA_DIR: folder })
    const dev = yield* readiness(program, Line)
    const page = yield* call(`${dev.url}/dev`)
    assert.strictEqual(page.status, 200)
    assert.include(page.text, dev.secretKey)
    assert.include(page.text, `curl -s ${dev.url}/v1/send`)
    const links = [...page.text.matchAll(/<li><a href="([^"]+)"/g)].flatMap(([, path]) => path ?? [])
    assert.isAbove(links.length, 5)
    for (const path of links) assert.strictEqual((yield* call(dev.url + path)).status, 200, path)
    const foreign = yield* call(`${dev.url}/dev`, { headers: { origin: "https://evil.example.com" } })
    assert.strictEqual(foreign.status, 403)
    assert.notInclude(foreign.text, dev.secretKey)
  })
)

it.live(
  "a mail sent with the first keys is in the mailbox, and its signature matches the records of the first domain",
  () =>
    Effect.gen(function* () {
      const folder = join(newFolder(), "clean")
      const program = yield* start(["dev", "--json"], { POSTHORN_PORT: "0", POSTHORN_DATA_DIR: folder })
      const dev = yield* readiness(program, Line)
      assert.isTrue(existsSync(join(folder, "dev.json")))

      const subject = `Grüße ${"你好".repeat(400)}`
      const html = "<p>Ein „Test“ mit Anhang 👋</p>"
      const content = Buffer.from("a,b\r\nü,1\r\n").toString("base64")
      const [id = ""] = yield* send(dev, {
        from: { name: "Zoë", email: `hello@${dev.domain}` },
        to: { name: "Anna Ängström", email: "anna@example.com" },
        subject,
        body: html,
        tracking: false,
        attachments: [{ filename: "Preise €.csv", content }]
      })

      const inbox = Effect.flatMap(call(`${dev.mailbox}.json?to=anna@example.com`), (answer) => body(answer, Mailbox))
      const { data } = yield* eventually(inbox, ({ total }) => total > 0)
      assert.deepStrictEqual(
        data.map(({ emailId, subject }) => ({ emailId, subject })),
        [{ emailId: id, subject }]
      )
      const eml = yield* call(`${dev.mailbox}/${data[0]?.id}.eml`)
      assert.strictEqual(eml.headers.get("content-type"), "message/rfc822")
      const raw = Buffer.from(eml.text)
      assertWellFormed(raw)

      const [domain, ...others] = yield* succeed(
        200,
        Schema.Array(Domain),
        dev,
        "GET",
        `/domains/project/${dev.projectId}`
      )
      assert.isEmpty(others)
      if (domain === undefined) return assert.fail("there is no domain")
      assert.include(domain, { domain: dev.domain, status: "VERIFIED" })
      const dns = yield* dnsStub()
      publish(dns.zone, domain.records)
      assert.deepStrictEqual(yield* verdicts(dns, raw), bothKeys(domain))

      const read = yield* parsed(raw)
      assert.strictEqual(read.subject, subject)
      assert.strictEqual(read.html, html)
      assert.strictEqual(read.text, "Ein „Test“ mit Anhang 👋")
      assert.deepStrictEqual(
        read.attachments.map(({ filename, content }) => ({ filename, content })),
        [{ filename: "Preise €.csv", content }]
      )

      yield* eventually(emailOf(dev, id), ({ status }) => status === "DELIVERED")
      const shown = yield* request(dev, "GET", `/emails/${id}/content?format=raw`)
      assert.strictEqual(shown.text, eml.text)
    })
)

import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { freshProject } from "../../audience/segments/SegmentsFixture.ts"
import { entriesOf } from "../../platform/audit/AuditLog.ts"
import { OutboundError } from "../../platform/outbound/SafeFetch.ts"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { Peer } from "../../testing/MailerMemory.ts"
import { Outside } from "../../testing/SafeFetchMemory.ts"
import { project, servicesOn, zone } from "../../testing/Services.ts"
import { clientHeader, outcome, send, wireOver } from "../../testing/TestClient.ts"
import * as EmailSender from "../sending/EmailSender.ts"
import { LinkHosts } from "./LinkHosts.ts"

const target = "posthorn.example"

const senderOn = (database: Layer.Layer<SqlClient.SqlClient>) =>
  EmailSender.layer.pipe(
    Layer.provideMerge(wireOver(servicesOn(database))),
    Layer.provide(
      Layer.succeed(EmailSender.Options, { poll: Duration.seconds(1), drain: Duration.seconds(5), exclusive: true })
    )
  )

const read = (path: string, headers: Record<string, string> = {}) => send("GET", path, undefined, headers)
const at = (host: string, path: string, method = "GET", body?: string) =>
  send(method, path, body, { host, authorization: "", "content-type": "application/x-www-form-urlencoded" })

let made = 0
/** A verified domain of the test project, with a link host that may be set up. */
const domain = Effect.gen(function* () {
  const name = `linked${++made}.test`
  const { body } = yield* send("POST", "/domains", { domain: name })
  return { id: String(body.id), name, host: `links.${name}` }
})

/** Does what a customer and its proxy do: the CNAME, and the answers of this service over https. */
const publish = Effect.fnUntraced(function* (host: string) {
  zone.set(host, { cname: target })
  const wired = yield* Effect.context<Effect.Services<ReturnType<typeof send>>>()
  yield* Outside.use((outside) =>
    outside.serve(`https://${host}/.well-known/posthorn-link`, () =>
      Effect.map(Effect.provideContext(at(host, "/.well-known/posthorn-link"), wired), ({ status, body }) => ({
        status,
        headers: {},
        body: new TextEncoder().encode(String(body))
      }))
    )
  )
})
const unpublish = (host: string) =>
  Outside.use((outside) =>
    outside.serve(`https://${host}/.well-known/posthorn-link`, () =>
      Effect.fail(new OutboundError({ reason: "connection_failed" }))
    )
  )

const statusOf = (id: string) => Effect.map(read(`/domains/${id}`), ({ body }) => body.linkHost)
const check = Effect.andThen(
  TestClock.adjust("11 seconds"),
  LinkHosts.use((hosts) => hosts.checkAll)
)

/** Sends tracked marketing mail from the domain, and returns what left. */
const mailFrom = Effect.fnUntraced(function* (name: string) {
  const template = yield* send("POST", "/templates", {
    name: `Template ${name} ${++made}`,
    subject: "News",
    body: '<p><a href="https://shop.example/sale">Sale</a> <a href="{{manageUrl}}">Settings</a></p>',
    from: `hi@${name}`,
    type: "MARKETING"
  })
  const { body } = yield* send("POST", "/v1/send", {
    to: "ada@example.com",
    template: template.body.id,
    subscribed: true
  })
  const id = String(body.data.emails[0].email)
  yield* eventually(
    Effect.andThen(TestClock.adjust("200 millis"), read(`/emails/${id}`)),
    ({ body }) => body.status === "SENT"
  )
  const message = (yield* (yield* Peer).accepted).find(({ emailId }) => emailId === id)
  const headers = new Map(message?.headers)
  return {
    id,
    html: message?.html ?? "",
    text: message?.text ?? "",
    unsubscribe: headers.get("List-Unsubscribe") ?? "",
    post: headers.get("List-Unsubscribe-Post")
  }
})
const linksIn = (text: string) => [...new Set(text.match(/https?:\/\/[^\s"<>)]+/g) ?? [])]
const pathOf = (url: string) => url.replaceAll("&amp;", "&").replace(/^https?:\/\/[^/]+/, "")

for (const [name, database] of databases()) {
  layer(senderOn(database), { timeout: "60 seconds", excludeTestServices: false })(`link hosts on ${name}`, (it) => {
    it.effect("need a verified domain, a name below it, and belong to one domain", () =>
      Effect.gen(function* () {
        const { host, id, name } = yield* domain
        const set = (id: string, linkHost: string | null) => outcome("PATCH", `/domains/${id}`, { linkHost })
        for (const wrong of [
          "links.other.test",
          name,
          `.${name}`,
          `a b.${name}`,
          "posthorn.example",
          `-.${name}`,
          ""
        ]) {
          assert.strictEqual(yield* set(id, wrong), "422 VALIDATION_ERROR", wrong)
        }
        const { status, body } = yield* send("PATCH", `/domains/${id}`, { linkHost: `${host.toUpperCase()}.` })
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(body.linkHost, { host, status: "PENDING", checkedAt: null, lastError: null })
        assert.deepInclude(body.records.at(-1), {
          type: "CNAME",
          name: host,
          value: target,
          purpose: "LINK",
          required: false
        })
        assert.strictEqual(yield* outcome("PATCH", `/domains/${id}`, {}), "200 ok")
        assert.strictEqual((yield* statusOf(id)).host, host)
        const { ask } = yield* freshProject
        const foreign = yield* ask("PATCH", `/domains/${id}`, { linkHost: null })
        assert.deepStrictEqual([foreign.status, foreign.body.error.details.resource], [404, "domain"])
        const below = yield* ask("POST", "/domains", { domain: `sub.${name}` })
        const taken = yield* ask("PATCH", `/domains/${below.body.id}`, { linkHost: `x.sub.${name}` })
        assert.strictEqual(taken.status, 200)
        const parent = yield* send("PATCH", `/domains/${id}`, { linkHost: `x.sub.${name}` })
        assert.deepStrictEqual([parent.status, parent.body.error.details.reason], [409, "host_taken"])
        const { body: pending } = yield* send("POST", "/domains", { domain: "unverified.example.org" })
        const unverified = yield* send("PATCH", `/domains/${pending.id}`, { linkHost: "links.unverified.example.org" })
        assert.deepStrictEqual([unverified.status, unverified.body.error.details.reason], [409, "domain_unverified"])
        const sql = yield* SqlClient.SqlClient
        const [entry] = (yield* entriesOf(sql, project, 20)).filter(({ action }) => action === "domain.link_host")
        assert.deepStrictEqual(entry?.details, { domain: name, host })
      })
    )

    it.effect("are used only once CNAME and certificate are valid", () =>
      Effect.gen(function* () {
        const { host, id, name } = yield* domain
        yield* send("PATCH", `/domains/${id}`, { linkHost: host })
        yield* check
        assert.deepInclude(yield* statusOf(id), { status: "PENDING", lastError: "There is no CNAME record." })
        // The CNAME alone is not enough: the host has no certificate.
        zone.set(host, { cname: target })
        yield* check
        const pending = yield* statusOf(id)
        assert.strictEqual(pending.status, "PENDING")
        assert.include(pending.lastError, "https")
        const early = yield* mailFrom(name)
        assert.notInclude(early.html + early.text + early.unsubscribe, host)

        yield* publish(host)
        const { body } = yield* read(`/domains/${id}/verify`)
        assert.strictEqual(body.linkHost.status, "PENDING", "the last check is fresh")
        yield* TestClock.adjust("11 seconds")
        const verified = yield* read(`/domains/${id}/verify`)
        assert.deepInclude(verified.body.linkHost, { status: "ACTIVE", lastError: null })
        const mail = yield* mailFrom(name)
        const links = [...linksIn(mail.html), ...linksIn(mail.text), ...linksIn(mail.unsubscribe)]
        for (const link of links) {
          if (link.startsWith("https://shop.example")) continue
          assert.isTrue(link.startsWith(`https://${host}/`), link)
        }
        assert.strictEqual(mail.post, "List-Unsubscribe=One-Click")
        for (const path of ["/t/c/", "/t/o/", "/manage/", "/unsubscribe/"]) {
          assert.isTrue(
            links.some((link) => link.startsWith(`https://${host}${path}`)),
            path
          )
        }

        // Three failed checks in a row end it; a mail that was accepted before keeps its host.
        yield* unpublish(host)
        yield* check
        yield* check
        assert.strictEqual((yield* statusOf(id)).status, "ACTIVE")
        yield* check
        assert.strictEqual((yield* statusOf(id)).status, "FAILING")
        assert.notInclude((yield* mailFrom(name)).html, host)
        const raw = yield* SqlClient.SqlClient.use((sql) => sql`select link_host from emails where id = ${mail.id}`)
        assert.deepStrictEqual(raw, [{ link_host: host }])
        yield* publish(host)
        yield* check
        assert.strictEqual((yield* statusOf(id)).status, "ACTIVE")
      })
    )

    it.effect("serve only links of mail, with tokens of their own project", () =>
      Effect.gen(function* () {
        const { host, id, name } = yield* domain
        yield* publish(host)
        yield* send("PATCH", `/domains/${id}`, { linkHost: host })
        yield* check
        const mail = yield* mailFrom(name)
        const click = linksIn(mail.html).find((link) => link.includes("/t/c/")) ?? ""
        const unsubscribe = linksIn(mail.unsubscribe)[0] ?? ""

        const redirect = yield* at(host, pathOf(click))
        assert.deepStrictEqual([redirect.status, redirect.headers.get("location")], [302, "https://shop.example/sale"])
        const page = yield* at(host, pathOf(unsubscribe))
        assert.strictEqual(page.status, 200)
        assert.isNull(page.headers.get("set-cookie"))
        const left = yield* at(host, pathOf(unsubscribe), "POST", "List-Unsubscribe=One-Click")
        assert.strictEqual(left.status, 200)

        // The same tokens work on the public URL.
        assert.strictEqual((yield* at(target, pathOf(click))).status, 302)

        for (const path of [
          "/",
          "/contacts",
          "/v1/send",
          "/openapi.json",
          "/health",
          "/auth/login",
          "/tls/allow",
          "/t"
        ]) {
          const answer = yield* read(path, { host })
          assert.deepStrictEqual([answer.status, answer.body?.error?.code], [404, "ROUTE_NOT_FOUND"], path)
        }
        assert.strictEqual((yield* read("/contacts", { host: `${host}:8443` })).status, 404)

        // A token of another project is a page that does not exist.
        const other = yield* freshProject
        const theirs = `theirs${++made}.test`
        const added = yield* other.ask("POST", "/domains", { domain: theirs })
        const foreign = `links.${theirs}`
        yield* publish(foreign)
        yield* other.ask("PATCH", `/domains/${added.body.id}`, { linkHost: foreign })
        assert.strictEqual((yield* at(foreign, pathOf(click))).status, 404)
        assert.strictEqual((yield* at(foreign, pathOf(unsubscribe))).status, 404)
        assert.strictEqual((yield* at(foreign, pathOf(unsubscribe), "POST", "confirm=1")).status, 404)

        // A former host still serves old mail; new mail uses the public URL.
        yield* send("PATCH", `/domains/${id}`, { linkHost: null })
        assert.isNull(yield* statusOf(id))
        assert.strictEqual((yield* at(host, pathOf(click))).status, 302)
        assert.strictEqual((yield* read("/contacts", { host })).status, 404)
        assert.notInclude((yield* mailFrom(name)).html, host)
      })
    )

    it.effect("GET /tls/allow names hosts that may have a certificate, to this machine and its proxies only", () =>
      Effect.gen(function* () {
        const { host, id } = yield* domain
        yield* send("PATCH", `/domains/${id}`, { linkHost: host })
        const ask = (name: string, from = "127.0.0.1") =>
          Effect.map(
            read(`/tls/allow?domain=${name}`, { [clientHeader]: from, authorization: "" }),
            ({ status, body }) => `${status} ${body?.error?.details?.resource ?? body?.error?.code ?? body}`
          )
        assert.strictEqual(yield* ask(target), "200 ok")
        assert.strictEqual(yield* ask(host), "404 link_host")
        zone.set(host, { cname: target })
        assert.strictEqual(yield* ask(host), "200 ok")
        assert.strictEqual(yield* ask("unknown.example.org"), "404 link_host")
        assert.strictEqual(yield* ask(""), "404 link_host")
        assert.strictEqual(yield* ask(host, "203.0.113.7"), "404 ROUTE_NOT_FOUND")
        yield* send("PATCH", `/domains/${id}`, { linkHost: null })
        assert.strictEqual(yield* ask(host), "200 ok", "old mail still leads there")
      })
    )
  })
}

import { assert, layer } from "@effect/vitest"
import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import { DateTime, Deferred, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { eventually } from "../../testing/Eventually.ts"
import { Peer, receipt } from "../../testing/MailerMemory.ts"
import { project } from "../../testing/Services.ts"
import { send, Wire, wire } from "../../testing/TestClient.ts"
import { Domains } from "../domains/Domains.ts"
import * as EmailSender from "../sending/EmailSender.ts"
import * as ClickEvents from "./ClickEvents.ts"

const senderDomain = Layer.effectDiscard(
  Effect.orDie(Domains.use((domains) => domains.add(project, { domain: "verified.test" })))
)

const loops = Layer.mergeAll(EmailSender.layer, ClickEvents.layer).pipe(
  Layer.provideMerge(senderDomain),
  Layer.provideMerge(wire),
  Layer.provide(
    // Sending wakes it: a short poll would be asked for hundreds of times in each minute that the clock is moved.
    Layer.succeed(EmailSender.Options, { poll: Duration.minutes(1), drain: Duration.seconds(5), exclusive: true })
  )
)

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0"

/** A request without any key. */
const visit = Effect.fnUntraced(function* (url: string, init: RequestInit = {}) {
  const handler = yield* Wire
  const { pathname, search } = new URL(url, "https://posthorn.example")
  const headers = { "user-agent": firefox, ...init.headers }
  const request = new Request(`http://posthorn${pathname}${search}`, { ...init, headers, redirect: "manual" })
  const response = yield* Effect.promise(() => handler(request))
  const bytes = new Uint8Array(yield* Effect.promise(() => response.arrayBuffer()))
  return { status: response.status, headers: response.headers, bytes, text: new TextDecoder().decode(bytes) }
})

const read = (id: string) => Effect.map(send("GET", `/emails/${id}`), ({ body }) => body)

const links = ["https://shop.example/one?a=1&b=2", "https://shop.example/two#there", "https://shop.example/three"]
const body = links.map((url) => `<a href="${url.replaceAll("&", "&amp;")}">x</a>`).join("")

let readers = 0

/** A mail that was handed over, with the links that its reader has; a minute later unless said otherwise. */
const mailed = Effect.fnUntraced(function* (
  more: Record<string, unknown> = {},
  later: Duration.Input | undefined = "1 minute"
) {
  const to = `reader-${++readers}@example.com`
  const mail = { to, from: "hi@verified.test", subject: "News", body, ...more }
  const { body: answer } = yield* send("POST", "/v1/send", mail)
  const id = answer.data.emails[0].email as EmailId
  yield* eventually(Effect.andThen(TestClock.adjust("100 millis"), read(id)), ({ status }) => status === "SENT")
  const message = (yield* (yield* Peer).accepted).find(({ emailId }) => emailId === id)
  const html = message?.html ?? ""
  if (later !== undefined) yield* TestClock.adjust(later)
  return {
    id,
    html,
    text: message?.text ?? "",
    pixel: /<img src="([^"]+)"/.exec(html)?.[1] ?? "",
    clicks: [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href = ""]) => href)
  }
})

const eventsOf = (id: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql`select name, data from events where email_id = ${id} and name <> 'email.sent' order by created_at, id`
  )

layer(loops, { timeout: "60 seconds", excludeTestServices: false })("Tracking", (it) => {
  it.effect("the mail that goes out is tracked; what is stored, shown and plain is as it was", () =>
    Effect.gen(function* () {
      const { id, html, text, pixel, clicks } = yield* mailed()
      assert.match(pixel, /^https:\/\/posthorn\.example\/t\/o\/[\w-]+\.gif$/)
      assert.strictEqual(clicks.length, 3)
      for (const [n, href] of clicks.entries()) {
        assert.match(href, /^https:\/\/posthorn\.example\/t\/c\/[\w-]+\?u=/)
        assert.strictEqual(new URL(href).searchParams.get("u"), links[n])
      }
      assert.include(text, "shop.example/one")
      assert.notInclude(text, "/t/c/")
      const { body: content } = yield* send("GET", `/emails/${id}/content`)
      assert.strictEqual(content.html, body)
      const handler = yield* Wire
      const raw = yield* Effect.promise(() =>
        handler(
          new Request(`http://posthorn/emails/${id}/content?format=raw`, {
            headers: { authorization: `Bearer sk_${"a".repeat(43)}` }
          })
        )
      )
      const number = Number(yield* Effect.promise(() => raw.text()))
      assert.isAbove(number, 0)
      assert.notInclude(html, `href="${links[2]}"`)
    })
  )

  it.effect("a project that does not track, a request that says no, and a test mail send what was written", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* mailed({ tracking: false })).html, body)
      for (const [mode, type] of [
        ["DISABLED", "plain"],
        ["MARKETING_ONLY", "plain"],
        ["DISABLED", "tracked"]
      ] as const) {
        yield* SqlClient.SqlClient.use((sql) => sql`update projects set tracking = ${mode} where id = ${project}`)
        yield* TestClock.adjust("2 seconds")
        const { html } = yield* mailed(type === "tracked" ? { tracking: true } : {})
        yield* SqlClient.SqlClient.use((sql) => sql`update projects set tracking = 'ENABLED' where id = ${project}`)
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual(html === body, type === "plain", mode)
      }
    })
  )

  it.effect("the pixel is an image that is not cached, and counts an open", () =>
    Effect.gen(function* () {
      const { id, pixel } = yield* mailed()
      const { status, headers, bytes } = yield* visit(pixel, { headers: { range: "bytes=0-3" } })
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "image/gif")
      assert.strictEqual(headers.get("cache-control"), "no-store, private")
      assert.isNull(headers.get("ratelimit-limit"))
      assert.strictEqual(new TextDecoder("latin1").decode(bytes.subarray(0, 6)), "GIF89a")
      assert.deepStrictEqual([...bytes.subarray(6, 10)], [1, 0, 1, 0])
      const opened = yield* read(id)
      assert.deepInclude(opened, { status: "OPENED", opens: 1, machineOpens: 0, clicks: 0 })
      assert.strictEqual(opened.openedAt, DateTime.formatIso(yield* DateTime.now))
      const [event, ...others] = yield* eventsOf(id)
      assert.deepStrictEqual(others, [])
      assert.strictEqual(event?.["name"], "email.open")
      assert.deepInclude(event?.["data"], { emailId: id, opens: 1, isFirstOpen: true, verdict: "human" })
    })
  )

  it.effect("a link redirects to its destination, and its event is recorded 3 seconds later", () =>
    Effect.gen(function* () {
      const { id, clicks } = yield* mailed()
      const { status, headers } = yield* visit(clicks[1] ?? "")
      assert.deepStrictEqual([status, headers.get("location")], [302, links[1]])
      assert.strictEqual(headers.get("cache-control"), "no-store, private")
      assert.deepInclude(yield* read(id), { status: "CLICKED", clicks: 1, machineClicks: 0, opens: 0 })
      assert.deepStrictEqual(yield* eventsOf(id), [])
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* eventsOf(id), [])
      const [event] = yield* eventually(
        Effect.andThen(TestClock.adjust("500 millis"), eventsOf(id)),
        ({ length }) => length > 0
      )
      assert.strictEqual(event?.["name"], "email.click")
      assert.deepInclude(event?.["data"], { link: links[1], clicks: 1, isFirstClick: true, verdict: "human" })
    })
  )

  it.effect("machines and people are distinguished", () =>
    Effect.gen(function* () {
      const machines = [
        { method: "HEAD" },
        { headers: { "user-agent": "" } },
        { headers: { "user-agent": "curl/8.1" } }
      ]
      for (const init of machines) {
        const { id, pixel, clicks } = yield* mailed()
        assert.strictEqual((yield* visit(pixel, init)).status, 200)
        assert.strictEqual((yield* visit(clicks[0] ?? "", init)).status, 302)
        assert.deepInclude(yield* read(id), {
          status: "CLICKED",
          opens: 1,
          machineOpens: 1,
          clicks: 1,
          machineClicks: 1
        })
      }
    })
  )

  it.effect("who follows three links within two seconds is a machine, from the first on", () =>
    Effect.gen(function* () {
      const { id, clicks } = yield* mailed()
      for (const url of clicks) {
        yield* visit(url)
        yield* TestClock.adjust("600 millis")
      }
      assert.deepInclude(yield* read(id), { clicks: 3, machineClicks: 3 })
      const events = yield* eventually(
        Effect.andThen(TestClock.adjust("500 millis"), eventsOf(id)),
        ({ length }) => length === 3
      )
      for (const { data } of events) assert.deepInclude(data, { verdict: "machine" })
      const { timeline } = yield* read(id)
      assert.deepStrictEqual(
        timeline
          .filter(({ type }: { type: string }) => type === "clicked")
          .map(({ detail }: { detail: string }) => detail),
        links.map((url) => `${url}, by a machine`)
      )
    })
  )

  it.effect("the same token counts once a second", () =>
    Effect.gen(function* () {
      const { id, pixel, clicks } = yield* mailed()
      yield* Effect.replicateEffect(visit(pixel), 50, { concurrency: "unbounded" })
      yield* Effect.replicateEffect(visit(clicks[0] ?? ""), 50, { concurrency: "unbounded" })
      assert.deepInclude(yield* read(id), { opens: 1, clicks: 1 })
      yield* TestClock.adjust("1 second")
      yield* visit(pixel)
      assert.deepInclude(yield* read(id), { opens: 2, clicks: 1 })
    })
  )

  it.effect("no other destination works: no redirect, but a page", () =>
    Effect.gen(function* () {
      const { id, clicks, pixel } = yield* mailed()
      const own = new URL(clicks[0] ?? "")
      const to = (destination: string) => `${own.pathname}?u=${encodeURIComponent(destination)}`
      const swapped = `${new URL(clicks[1] ?? "").pathname}?u=${own.searchParams.get("u")}`
      const bad = [
        to("https://evil.example/"),
        to("//evil.example"),
        to("javascript:alert(1)"),
        to("https://shop.example/one?a=1&b=2#"),
        to(`${links[0]} `),
        own.pathname,
        `${own.pathname}?u=`,
        `${own.pathname}${own.search}&u=https://evil.example/`,
        swapped,
        `${own.pathname.slice(0, -1)}?u=${encodeURIComponent(links[0] ?? "")}`,
        pixel.replace("/t/o/", "/t/c/").replace(".gif", ""),
        `/t/c/${"x".repeat(2_000)}?u=https://evil.example/`,
        "/t/c/x?u=https://evil.example/"
      ]
      for (const url of bad) {
        const { status, headers, text } = yield* visit(url)
        assert.deepStrictEqual([status, headers.get("location")], [404, null], url)
        assert.include(text, "<h1>")
        assert.notInclude(text, "evil")
      }
      assert.deepInclude(yield* read(id), { status: "SENT", clicks: 0 })
    })
  )

  it.effect("a pixel with a bad token is a picture all the same, and counts nothing", () =>
    Effect.gen(function* () {
      const { id, pixel, clicks } = yield* mailed()
      const token = new URL(pixel).pathname.slice("/t/o/".length, -".gif".length)
      const other = new URL(clicks[0] ?? "").pathname.slice("/t/c/".length)
      for (const file of [
        `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}.gif`,
        token,
        `${token}.png`,
        `${other}.gif`,
        "x.gif",
        `${"x".repeat(2_000)}.gif`
      ]) {
        const { status, headers } = yield* visit(`/t/o/${file}`)
        assert.deepStrictEqual([status, headers.get("content-type")], [200, "image/gif"], file)
        assert.strictEqual(headers.get("cache-control"), "no-store, private")
      }
      assert.deepInclude(yield* read(id), { status: "SENT", opens: 0 })
    })
  )

  it.effect("the links of a deleted mail, and of one whose contact is gone, still lead where they did", () =>
    Effect.gen(function* () {
      const { id, clicks, pixel } = yield* mailed()
      const { contactId } = yield* read(id)
      yield* send("DELETE", `/contacts/${contactId}`)
      assert.strictEqual((yield* visit(clicks[0] ?? "")).headers.get("location"), links[0])
      assert.strictEqual((yield* visit(pixel)).status, 200)
      assert.deepInclude(yield* read(id), { clicks: 0, opens: 0, contactId: null })
      yield* SqlClient.SqlClient.use((sql) => sql`delete from emails where id = ${id}`)
      assert.strictEqual((yield* visit(clicks[0] ?? "")).headers.get("location"), links[0])
    })
  )

  it.effect("neither address nor user agent is stored anywhere", () =>
    Effect.gen(function* () {
      const { id, clicks, pixel } = yield* mailed()
      const agent = "Mozilla/5.0 (Needle 4711) Gecko"
      yield* visit(pixel, { headers: { "user-agent": agent, "x-forwarded-for": "203.0.113.77" } })
      yield* visit(clicks[0] ?? "", { headers: { "user-agent": agent, "x-forwarded-for": "203.0.113.77" } })
      const rows = yield* SqlClient.SqlClient.use(
        (sql) => sql`
          select to_jsonb(email_hits)::text as row from email_hits where email_id = ${id}
          union all select to_jsonb(events)::text from events where email_id = ${id}
          union all select to_jsonb(emails)::text from emails where id = ${id}`
      )
      assert.isAtLeast(rows.length, 4)
      for (const { row } of rows) assert.notMatch(String(row), /Needle|203\.0\.113/)
    })
  )

  it.effect("a project at its limit of requests is still opened and clicked", () =>
    Effect.gen(function* () {
      const { clicks, pixel } = yield* mailed()
      const before = yield* send("GET", "/contacts?limit=1")
      for (let n = 0; n < 20; n++) yield* Effect.all([visit(pixel), visit(clicks[n % 3] ?? "")])
      const after = yield* send("GET", "/contacts?limit=1")
      const left = ({ headers }: { headers: Headers }) => Number(headers.get("ratelimit-remaining"))
      assert.strictEqual(left(before) - left(after), 1)
    })
  )

  it.effect("a mail that was opened before its hand-over was on record is OPENED when it is", () =>
    Effect.gen(function* () {
      const to = `scanned-${++readers}@example.com`
      const peer = yield* Peer
      const released = yield* Deferred.make<void>()
      yield* peer.answer(() => Effect.as(Deferred.await(released), receipt))
      const { body: answer } = yield* send("POST", "/v1/send", { to, from: "hi@verified.test", subject: "x", body })
      const id = answer.data.emails[0].email
      yield* eventually(Effect.andThen(TestClock.adjust("100 millis"), read(id)), ({ status }) => status === "SENDING")
      const message = yield* eventually(
        Effect.map(peer.tries, (tries) => tries.find((each) => each.message.emailId === id)?.message),
        (found) => found !== undefined
      )
      yield* visit(/<img src="([^"]+)"/.exec(message?.html ?? "")?.[1] ?? "")
      assert.deepInclude(yield* read(id), { status: "SENDING", opens: 1, machineOpens: 1 })
      yield* Deferred.succeed(released, undefined)
      yield* peer.answer(() => Effect.succeed(receipt))
      const opened = yield* eventually(
        Effect.andThen(TestClock.adjust("100 millis"), read(id)),
        ({ status }) => status !== "SENDING"
      )
      assert.deepInclude(opened, { status: "OPENED", opens: 1 })
      assert.isNotNull(opened.sentAt)
    })
  )
})

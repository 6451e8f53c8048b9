/** Mail with cc and bcc: every recipient gets a mail of its own, with the headers of the group. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { MailerError } from "../../platform/Mailer.ts"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { Peer, receipt } from "../../testing/MailerMemory.ts"
import { project } from "../../testing/Services.ts"
import { outcome, send, Wire } from "../../testing/TestClient.ts"
import { notify, wireWith } from "../receivers/ReceiversFixture.ts"
import * as ClickEvents from "../tracking/ClickEvents.ts"
import * as EmailSender from "./EmailSender.ts"

const post = (body: object) =>
  send("POST", "/v1/send", { from: "hi@copies.test", subject: "Hi {{name}}", body: "<p>Hi</p>", ...body })

const begin = Effect.gen(function* () {
  yield* send("POST", "/domains", { domain: "copies.test" })
})

interface Sent {
  readonly to: string
  readonly copies: ReadonlyArray<{ to: string; type: string; email: string; status: string }>
  readonly contact: string
}

const sent = Effect.fnUntraced(function* (body: object) {
  const { status, body: answer } = yield* post(body)
  assert.strictEqual(status, 200, JSON.stringify(answer))
  const [{ email, contact }] = answer.data.emails
  return { to: email, contact: contact.id, copies: answer.data.copies ?? [] } as Sent
})

const record = (id: string) => Effect.map(send("GET", `/emails/${id}`), ({ body }) => body)

const fault = Effect.fnUntraced(function* (body: object) {
  const answer = yield* post(body)
  return `${answer.status} ${answer.body.error?.errors?.map((_: { field: string; code: string }) => `${_.field} ${_.code}`)}`
})

/** A request of a reader, without any key. */
const visit = Effect.fnUntraced(function* (url: string) {
  const handler = yield* Wire
  const { pathname, search } = new URL(url)
  const headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0" }
  return yield* Effect.promise(() =>
    handler(new Request(`http://posthorn${pathname}${search}`, { headers, redirect: "manual" }))
  )
})

const count = (statement: Effect.Effect<ReadonlyArray<unknown>, unknown, SqlClient.SqlClient>) =>
  Effect.orDie(Effect.map(statement, (rows) => rows.length))

for (const [name, database] of databases()) {
  const services = wireWith(database)
  const workers = Layer.mergeAll(EmailSender.layer, ClickEvents.layer).pipe(
    Layer.provide(
      Layer.succeed(EmailSender.Options, { poll: Duration.millis(100), drain: Duration.seconds(5), exclusive: true })
    )
  )
  const becomes = (id: string, status: string) =>
    eventually(Effect.andThen(TestClock.adjust("100 millis"), record(id)), (found) => found.status === status)

  const messages = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    const tries = yield* (yield* Peer).tries
    return tries.filter(({ message }) => ids.includes(message.emailId))
  })

  layer(services, { timeout: "60 seconds" })(`Copies on ${name}`, (it) => {
    it.effect("arrive one by one with the same Message-ID, To and Cc; no header names a bcc", () =>
      Effect.gen(function* () {
        yield* begin
        yield* Layer.build(workers)
        const contacts = (yield* send("GET", "/contacts?limit=1")).body.total
        const { to, copies } = yield* sent({
          to: "Ada <ada@example.com>",
          cc: "Carl <carl@example.com>",
          bcc: ["bea@example.com", { email: "ben@example.com", name: "Ben" }, "ada@example.com", "carl@example.com"],
          data: { name: "Ada" }
        })
        assert.deepStrictEqual(
          copies.map(({ to, type, status }) => [to, type, status]),
          [
            ["carl@example.com", "CC", "PENDING"],
            ["bea@example.com", "BCC", "PENDING"],
            ["ben@example.com", "BCC", "PENDING"]
          ]
        )
        const ids = [to, ...copies.map(({ email }) => email)]
        for (const id of ids) yield* becomes(id, "SENT")
        const tries = yield* messages(ids)
        assert.deepStrictEqual(tries.map(({ envelope }) => envelope.to).sort(), [
          "ada@example.com",
          "bea@example.com",
          "ben@example.com",
          "carl@example.com"
        ])
        assert.strictEqual(new Set(tries.map(({ envelope }) => envelope.from)).size, 4)
        for (const { message } of tries) {
          assert.strictEqual(message.messageId, `${to}@copies.test`)
          assert.deepStrictEqual(message.to, [{ address: "ada@example.com", name: "Ada" }])
          assert.deepStrictEqual(message.cc, [{ address: "carl@example.com", name: "Carl" }])
          assert.strictEqual(message.subject, "Hi Ada")
          assert.include(
            message.headers.map(([name, value]) => `${name}: ${value}`),
            `X-Posthorn-Email-Id: ${message.emailId}`
          )
          assert.notInclude(JSON.stringify(message), "bea@example.com")
        }
        assert.strictEqual((yield* send("GET", "/contacts?limit=1")).body.total, contacts + 1)
        const [carl] = copies
        assert.deepInclude(yield* record(carl?.email ?? ""), {
          recipientType: "CC",
          groupId: to,
          contactId: null,
          to: "carl@example.com",
          toName: "Carl",
          messageId: `${to}@copies.test`,
          cc: [{ email: "carl@example.com", name: "Carl" }]
        })
        assert.deepInclude(yield* record(to), { recipientType: "TO", groupId: to })
        const listed = yield* send("GET", `/emails?groupId=${to}`)
        assert.sameMembers(
          listed.body.data.map(({ id }: { id: string }) => id),
          ids
        )
        assert.strictEqual(listed.body.total, 4)
        const other = yield* sent({ to: "alone@example.com" })
        assert.deepInclude(yield* record(other.to), { recipientType: "TO", groupId: null, cc: [] })
      })
    )

    it.effect("are refused with several recipients, for marketing mail and beyond 49, and nothing is stored", () =>
      Effect.gen(function* () {
        yield* begin
        const before = (yield* send("GET", "/emails?limit=1")).body.total
        const made = yield* send("POST", "/templates", {
          name: "News",
          subject: "News",
          body: "<p>News</p>",
          from: "hi@copies.test",
          type: "MARKETING"
        })
        const many = (count: number, label: string) =>
          Array.from({ length: count }, (_, n) => `${label}${n}@example.com`)
        const to = "a@example.com"
        assert.strictEqual(yield* fault({ to: [to, "b@example.com"], cc: "c@example.com" }), "422 cc custom")
        assert.strictEqual(yield* fault({ to: [to, "b@example.com"], bcc: "c@example.com" }), "422 bcc custom")
        assert.strictEqual(
          yield* fault({ to, bcc: "c@example.com", template: made.body.id, subscribed: true }),
          "422 bcc custom"
        )
        assert.strictEqual(yield* fault({ to, cc: many(50, "c") }), "422 cc too_big")
        assert.strictEqual(yield* fault({ to, cc: many(25, "c"), bcc: many(25, "b") }), "422 bcc too_big")
        assert.strictEqual(yield* fault({ to, cc: "no address" }), "422 cc invalid_string")
        assert.strictEqual((yield* send("GET", "/emails?limit=1")).body.total, before)
        const most = yield* sent({ to: [to], cc: [...many(49, "c"), to, ...many(10, "c")], bcc: many(49, "c") })
        assert.strictEqual(most.copies.length, 49)
      })
    )

    it.effect("have no link that acts for the contact, and share the text otherwise", () =>
      Effect.gen(function* () {
        yield* begin
        const body = '<p>{{name}}, <a href="{{manageUrl}}">settings</a></p>'
        const own = yield* sent({ to: "ada@example.com", cc: "carl@example.com", body })
        const content = (id: string) =>
          Effect.map(send("GET", `/emails/${id}/content`), ({ body }) => String(body.html))
        assert.include(yield* content(own.to), "/manage/")
        assert.notInclude(yield* content(own.copies[0]?.email ?? ""), "/manage/")
        const contents = count(SqlClient.SqlClient.use((sql) => sql`select id from email_contents`))
        const before = yield* contents
        yield* sent({ to: "ada@example.com", cc: "carl@example.com" })
        assert.strictEqual(yield* contents, before + 1)
      })
    )

    it.effect("stand for themselves: a suppressed address is left out, a hit counts for its copy alone", () =>
      Effect.gen(function* () {
        yield* begin
        yield* Layer.build(workers)
        yield* send("POST", "/suppressions", { email: "gone@example.com" })
        const { to, copies } = yield* sent({
          to: "ada@example.com",
          cc: "carl@example.com",
          bcc: "gone@example.com",
          body: '<p><a href="https://shop.example/a">A</a></p>'
        })
        const [carl, gone] = copies
        if (carl === undefined || gone === undefined) return assert.fail("two copies")
        assert.strictEqual(gone.status, "SUPPRESSED")
        yield* becomes(to, "SENT")
        yield* becomes(carl.email, "SENT")
        assert.strictEqual((yield* messages([to, carl.email, gone.email])).length, 2)
        const [mine] = yield* messages([carl.email])
        const link = /href="([^"]+)"/.exec(mine?.message.html ?? "")?.[1] ?? ""
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* visit(link)).headers.get("location"), "https://shop.example/a")
        yield* becomes(carl.email, "CLICKED")
        assert.deepInclude(yield* record(carl.email), { clicks: 1 })
        assert.deepInclude(yield* record(to), { clicks: 0, status: "SENT" })
        const events = yield* eventually(
          Effect.andThen(
            TestClock.adjust("1 second"),
            SqlClient.SqlClient.use(
              (sql) => sql<{ contact: string | null; data: { recipientType: string; groupId: string } }>`
              select contact_id as contact, data from events where email_id = ${carl.email} and name = 'email.click'`
            )
          ).pipe(Effect.orDie),
          (rows) => rows.length === 1
        )
        assert.isNull(events[0]?.contact)
        assert.deepInclude(events[0]?.data, { recipientType: "CC", groupId: to })

        const others = yield* sent({ to: "gone@example.com", cc: "carl@example.com" })
        const left = others.copies[0]?.email ?? ""
        assert.strictEqual((yield* record(others.to)).status, "SUPPRESSED")
        yield* becomes(left, "SENT")
        assert.strictEqual((yield* messages([others.to, left])).length, 1)
      })
    )

    it.effect("bounce alone, and a report that gives only the Message-ID names the copy of its recipient", () =>
      Effect.gen(function* () {
        yield* begin
        yield* Layer.build(workers)
        const { to, copies } = yield* sent({
          to: "ada@example.com",
          cc: "carl@example.com",
          bcc: "bounces@example.com"
        })
        for (const id of [to, ...copies.map(({ email }) => email)]) yield* becomes(id, "SENT")
        const report = Effect.fnUntraced(function* (recipient: string, type: string) {
          const event = {
            id: `${to} ${recipient} ${type}`,
            type,
            messageId: `<${to}@copies.test>`,
            recipient,
            timestamp: DateTime.formatIso(yield* DateTime.now),
            ...(type === "bounce" && { bounceType: "Permanent" })
          }
          return yield* notify(event)
        })
        yield* report("bounces@example.com", "bounce")
        yield* report("carl@example.com", "delivery")
        const statuses = yield* Effect.forEach([to, ...copies.map(({ email }) => email)], (id) =>
          Effect.map(record(id), ({ status }) => status)
        )
        assert.deepStrictEqual(statuses, ["SENT", "DELIVERED", "BOUNCED"])
        const suppressed = yield* send("GET", "/suppressions?email=bounces@example.com")
        assert.include(JSON.stringify(suppressed.body), "bounces@example.com")
      })
    )

    it.effect("are cancelled and moved with their mail; a copy alone changes alone", () =>
      Effect.gen(function* () {
        yield* begin
        const tomorrow = DateTime.formatIso(DateTime.add(yield* DateTime.now, { days: 1 }))
        const later = DateTime.formatIso(DateTime.add(yield* DateTime.now, { days: 2 }))
        const group = { to: "ada@example.com", cc: ["carl@example.com", "cleo@example.com"], scheduledFor: tomorrow }
        const { to, copies } = yield* sent(group)
        const [carl, cleo] = copies.map(({ email }) => email)
        if (carl === undefined || cleo === undefined) return assert.fail("two copies")
        assert.strictEqual(copies[0]?.status, "SCHEDULED")
        assert.strictEqual((yield* send("POST", `/emails/${carl}/cancel`)).status, 200)
        assert.strictEqual((yield* send("PATCH", `/emails/${to}`, { scheduledFor: later })).status, 200)
        const states = Effect.forEach([to, carl, cleo], (id) =>
          Effect.map(record(id), ({ status, scheduledFor }) => `${status} ${scheduledFor === later}`)
        )
        assert.deepStrictEqual(yield* states, ["SCHEDULED true", "CANCELLED false", "SCHEDULED true"])
        assert.strictEqual((yield* send("POST", `/emails/${to}/cancel`)).body.status, "CANCELLED")
        assert.deepStrictEqual(yield* states, ["CANCELLED true", "CANCELLED false", "CANCELLED true"])
        assert.strictEqual(yield* outcome("PATCH", `/emails/${to}`, { scheduledFor: null }), "409 CONFLICT")
      })
    )

    it.effect("are tried again by hand alone, as the same message", () =>
      Effect.gen(function* () {
        yield* begin
        yield* Layer.build(workers)
        const peer = yield* Peer
        const refused = new MailerError({
          reason: "refused",
          transport: "memory",
          remoteHost: "memory.test",
          code: 550,
          enhancedCode: "5.7.1",
          reply: "550 5.7.1 policy"
        })
        yield* peer.answer(() => Effect.fail(refused))
        const { to, copies } = yield* sent({ to: "ada@example.com", cc: "carl@example.com", bcc: "bea@example.com" })
        const [cc = "", bcc = ""] = copies.map(({ email }) => email)
        for (const id of [to, cc, bcc]) yield* becomes(id, "FAILED")
        yield* peer.answer(() => Effect.succeed(receipt))
        assert.strictEqual((yield* send("POST", `/emails/${bcc}/retry`)).status, 200)
        yield* becomes(bcc, "SENT")
        assert.deepStrictEqual([(yield* record(to)).status, (yield* record(cc)).status], ["FAILED", "FAILED"])
        const tries = yield* messages([to, cc, bcc])
        assert.strictEqual(tries.length, 4)
        assert.strictEqual(tries[3]?.envelope.to, "bea@example.com")
        assert.strictEqual(new Set(tries.map(({ message }) => message.messageId)).size, 1)
      }).pipe(Effect.scoped)
    )

    it.effect("wait no longer than their contact exists", () =>
      Effect.gen(function* () {
        yield* begin
        const tomorrow = DateTime.formatIso(DateTime.add(yield* DateTime.now, { days: 1 }))
        const { to, copies, contact } = yield* sent({
          to: "leaves@example.com",
          cc: "carl@example.com",
          scheduledFor: tomorrow
        })
        assert.strictEqual((yield* send("DELETE", `/contacts/${contact}`)).status, 204)
        for (const id of [to, copies[0]?.email ?? ""]) {
          assert.deepNestedInclude(yield* record(id), { status: "CANCELLED", "error.code": "contact_deleted" })
        }
      })
    )

    it.effect("lose everything about an erased person, and their headers lose an erased address", () =>
      Effect.gen(function* () {
        yield* begin
        const mail = {
          subject: "About Eve",
          tags: { person: "eve" },
          headers: { "X-About": "eve" },
          body: "<p>Eve</p>"
        }
        const { to, copies, contact } = yield* sent({ ...mail, to: "eve@example.com", cc: "carl@example.com" })
        const copy = copies[0]?.email ?? ""
        assert.strictEqual((yield* send("POST", `/contacts/${contact}/erase`)).status, 200)
        assert.deepInclude(yield* record(copy), { to: "carl@example.com", subject: "", tags: {}, headers: {} })
        assert.deepInclude(yield* record(to), { to: "", cc: [{ email: "carl@example.com", name: null }] })
        const { body: content } = yield* send("GET", `/emails/${copy}/content`)
        assert.deepInclude(content, { html: null, text: null })

        const other = yield* sent({ to: "ada@example.com", cc: ["mallory@example.com", "carl@example.com"] })
        const { body: mallory } = yield* send("POST", "/contacts", { email: "mallory@example.com" })
        assert.strictEqual((yield* send("POST", `/contacts/${mallory.id}/erase`)).status, 200)
        assert.deepInclude(yield* record(other.copies[0]?.email ?? ""), { to: "", subject: "" })
        assert.deepInclude(yield* record(other.to), {
          to: "ada@example.com",
          subject: "Hi Ada",
          cc: [{ email: "carl@example.com", name: null }]
        })
        const left = SqlClient.SqlClient.use(
          (sql) => sql`
            select id::text from emails where project_id = ${project} and to_email in ('eve@example.com', 'mallory@example.com')
            union all
            select id::text from email_groups where project_id = ${project}
              and (shown_to::text || shown_cc::text) ~ 'eve@example|mallory@example'`
        )
        assert.strictEqual(yield* count(left), 0)
      })
    )
  })
}

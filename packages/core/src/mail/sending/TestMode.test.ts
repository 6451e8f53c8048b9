import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { sendWarnings } from "../../accounts/billing/Warnings.ts"
import { retain } from "../../service/retention/Retention.ts"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { Peer } from "../../testing/MailerMemory.ts"
import { project, servicesOn } from "../../testing/Services.ts"
import { outcome, send, wireOver } from "../../testing/TestClient.ts"
import { Domains } from "../domains/Domains.ts"
import * as EmailSender from "./EmailSender.ts"

const mail = { from: "hi@verified.test", subject: "Hello {{name ?? you}}", body: "<p>Hi {{name}}</p>" }

const newKey = Effect.fnUntraced(function* (mode: "LIVE" | "TEST", scopes = ["send", "emails:write"]) {
  const { status, body } = yield* send("POST", "/api-keys", { name: `${mode} key`, mode, scopes })
  assert.strictEqual(status, 201, JSON.stringify(body))
  return { id: String(body.id), headers: { authorization: `Bearer ${body.key}` } }
})

const post = (headers: Record<string, string>, to: unknown, more = {}) =>
  Effect.map(send("POST", "/v1/send", { ...mail, to, ...more }, headers), ({ status, body }) => {
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body.data.emails as ReadonlyArray<{ email: string; contact: { id: string }; status: string }>
  })

const read = (id: string) => Effect.map(send("GET", `/emails/${id}`), ({ body }) => body)

const ended = (id: string, status: string) =>
  eventually(Effect.andThen(TestClock.adjust("200 millis"), read(id)), (found) => found.status === status)

const count = (table: string, where = "true") =>
  SqlClient.SqlClient.use((sql) =>
    Effect.map(
      sql.unsafe<{ count: number }>(`select count(*)::int as count from ${table} where ${where}`),
      ([row]) => row?.count
    )
  )

const total = (query: string, headers = {}) =>
  Effect.map(send("GET", `/emails${query}`, undefined, headers), ({ body }) => body.total)

for (const [name, database] of databases()) {
  const services = wireOver(servicesOn(database))
  const sender = EmailSender.layer.pipe(
    Layer.provideMerge(
      Layer.effectDiscard(Effect.orDie(Domains.use((domains) => domains.add(project, { domain: "verified.test" }))))
    ),
    Layer.provideMerge(services),
    Layer.provide(
      Layer.succeed(EmailSender.Options, { poll: Duration.seconds(1), drain: Duration.seconds(5), exclusive: true })
    )
  )

  layer(sender, { timeout: "180 seconds" })(`Test mode on ${name}`, (it) => {
    it.effect("mail is rendered from the stored contact, signed, tried and delivered to nobody", () =>
      Effect.gen(function* () {
        const { headers, id: apiKeyId } = yield* newKey("TEST")
        const { body: ada } = yield* send("POST", "/contacts", {
          email: "ada@example.com",
          subscribed: false,
          data: { name: "Ada" }
        })
        const [known] = yield* post(headers, "ada@example.com", {
          data: { plan: "pro" },
          subscribed: true,
          body: `<p>Hi {{name}} {{plan}} <a href="https://a.example/">a</a> <a href="{{unsubscribeUrl}}">out</a></p>`,
          tags: { order: "4711" }
        })
        assert.strictEqual(known?.contact.id, ada.id)
        const record = yield* ended(known?.email ?? "", "DELIVERED")
        assert.deepInclude(record, {
          mode: "TEST",
          test: true,
          tracking: false,
          apiKeyId,
          contactId: null,
          subject: "Hello Ada",
          attempts: 1
        })
        assert.deepInclude(record.attemptLog[0], { outcome: "accepted", transport: "test", code: 250 })
        assert.deepStrictEqual(
          record.timeline.map(({ type }: { type: string }) => type),
          ["accepted", "sent", "delivered"]
        )
        const { body: content } = yield* send("GET", `/emails/${record.id}/content`, undefined, headers)
        assert.include(content.html, "Hi Ada pro")
        // The link to unsubscribe is that of nobody.
        const token = /href="https:\/\/posthorn\.example(\/unsubscribe\/[^"]+)"/.exec(content.html)?.[1] ?? ""
        const clicked = yield* send("POST", token, "List-Unsubscribe=One-Click", {
          "content-type": "application/x-www-form-urlencoded"
        })
        assert.isBelow(clicked.status, 500)
        const after = yield* send("GET", `/contacts/${ada.id}`)
        const { _meta: _, ...stored } = ada
        assert.deepStrictEqual(after.body, stored)
        const raw = yield* send("GET", `/emails/${record.id}/content?format=raw`, undefined, headers)
        assert.strictEqual(raw.status, 200)

        const before = yield* count("contacts")
        const [stranger] = yield* post(headers, "stranger@example.com")
        assert.match(stranger?.contact.id ?? "", /^[\da-f-]{36}$/)
        yield* ended(stranger?.email ?? "", "DELIVERED")
        assert.strictEqual(yield* count("contacts"), before)
        assert.strictEqual(yield* count("events", "email_id is not null"), 0)
        assert.isEmpty(yield* (yield* Peer).tries)
      })
    )

    it.effect("the message has the headers of a live one, and says that it is a test", () =>
      Effect.gen(function* () {
        const { headers } = yield* newKey("TEST")
        const [test] = yield* post(headers, "headers@example.com")
        yield* ended(test?.email ?? "", "DELIVERED")
        yield* send("GET", `/emails/${test?.email}/content?format=raw`)
        const composed = yield* (yield* Peer).composed
        const message = composed.at(-1)
        assert.strictEqual(message?.emailId, test?.email)
        const found = new Map(message?.headers)
        assert.strictEqual(found.get("X-Posthorn-Test"), "true")
        assert.strictEqual(found.get("Auto-Submitted"), "auto-generated")
        assert.isUndefined(found.get("List-Unsubscribe"))
        assert.lengthOf(message?.dkim ?? [], 2)
        // As handed over: every build is the same.
        const handedOver = composed.find(({ emailId }) => emailId === test?.email)
        assert.deepStrictEqual(message, handedOver)
      })
    )

    it.effect("the local part decides how a mail ends; suppressions are read and never written", () =>
      Effect.gen(function* () {
        const { headers } = yield* newKey("TEST")
        const suppressions = yield* count("suppressions")
        const ends = {
          bounced: "BOUNCED",
          failed: "FAILED",
          suppressed: "SUPPRESSED",
          opened: "OPENED",
          clicked: "CLICKED",
          complained: "COMPLAINED",
          anna: "DELIVERED"
        }
        for (const [local, status] of Object.entries(ends)) {
          const [plain] = yield* post(headers, `${local}@shop.test`)
          const [labelled] = yield* post(headers, `${local}+7@any.where.test`)
          for (const sent of [plain, labelled]) {
            const record = yield* ended(sent?.email ?? "", status)
            if (local === "bounced") assert.include(record.error.message, "550 5.1.1")
            if (local === "clicked") assert.deepInclude(record, { opens: 1, clicks: 1 })
          }
        }
        const [real] = yield* post(headers, "bounced@example.com")
        yield* ended(real?.email ?? "", "DELIVERED")
        assert.strictEqual(yield* count("suppressions"), suppressions)

        yield* send("POST", "/suppressions", { email: "gone@example.com" })
        const [gone] = yield* post(headers, "gone@example.com")
        assert.strictEqual(gone?.status, "SUPPRESSED")

        const [slow] = yield* post(headers, "slow@shop.test")
        yield* eventually(
          Effect.andThen(TestClock.adjust("100 millis"), read(slow?.email ?? "")),
          ({ status }) => status === "SENDING"
        )
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual((yield* read(slow?.email ?? "")).status, "SENDING")
        yield* TestClock.adjust("5 seconds")
        yield* ended(slow?.email ?? "", "DELIVERED")

        const [deferred] = yield* post(headers, "deferred+x@shop.test")
        const third = yield* eventually(
          Effect.andThen(TestClock.adjust("2 seconds"), read(deferred?.email ?? "")),
          ({ status }) => status === "DELIVERED"
        )
        assert.deepStrictEqual(
          third.attemptLog.map(({ outcome }: { outcome: string }) => outcome),
          ["deferred", "deferred", "accepted"]
        )
        assert.isEmpty(yield* (yield* Peer).tries)
      })
    )

    it.effect("a test key sees test mail only; lists of others leave it out unless asked", () =>
      Effect.gen(function* () {
        const test = yield* newKey("TEST")
        const live = yield* newKey("LIVE")
        const [own] = yield* post(test.headers, "seen@example.com")
        const [other] = yield* post(live.headers, "seen@example.com")
        yield* ended(own?.email ?? "", "DELIVERED")
        assert.deepInclude(yield* read(other?.email ?? ""), { mode: "LIVE", test: false, apiKeyId: live.id })
        const [plain] = yield* post({}, "seen@example.com")
        assert.isNull((yield* read(plain?.email ?? "")).apiKeyId)

        const idsOf = (query: string, headers = {}) =>
          Effect.map(send("GET", `/emails?to=seen@example.com${query}`, undefined, headers), ({ body }) =>
            body.data.map(({ id }: { id: string }) => id)
          )
        assert.deepStrictEqual(yield* idsOf(""), [plain?.email, other?.email])
        assert.deepStrictEqual(yield* idsOf("&mode=TEST"), [own?.email])
        assert.deepStrictEqual(yield* idsOf("&mode=ALL"), [plain?.email, other?.email, own?.email])
        for (const query of ["", "&mode=LIVE", "&mode=ALL"]) {
          assert.deepStrictEqual(yield* idsOf(query, test.headers), [own?.email])
        }
        assert.strictEqual(yield* outcome("GET", "/emails?mode=BOTH"), "400 BAD_REQUEST")
        for (const [method, path] of [
          ["GET", ""],
          ["GET", "/content"],
          ["PATCH", ""],
          ["POST", "/cancel"],
          ["POST", "/retry"]
        ] as const) {
          const found = yield* outcome(
            method,
            `/emails/${other?.email}${path}`,
            method === "GET" ? undefined : {},
            test.headers
          )
          assert.strictEqual(found, "404 RESOURCE_NOT_FOUND", path)
        }
        // The stored counts keep both apart.
        const all = Number(yield* total("?mode=ALL"))
        assert.strictEqual(all, yield* count("emails"))
        assert.strictEqual(yield* total("?mode=TEST"), yield* count("emails", "mode = 'TEST'"))
        assert.strictEqual(yield* total(""), yield* count("emails", "mode = 'LIVE'"))
        assert.strictEqual(
          yield* total("?mode=TEST&status=DELIVERED"),
          yield* count("emails", "mode = 'TEST' and status = 'DELIVERED'")
        )
      })
    )

    it.effect("test mail is in no counter, activity, analytics or bill", () =>
      Effect.gen(function* () {
        const { headers } = yield* newKey("TEST", ["send", "analytics:read", "events:read"])
        const figures = Effect.gen(function* () {
          yield* TestClock.adjust("2 minutes")
          const paths = ["/activity", "/activity/stats", "/activity/recent-count", "/analytics/timeseries", "/events"]
          const found = yield* Effect.forEach([...paths, `/projects/${project}/security`], (path) =>
            Effect.map(send("GET", path), ({ status, body }) => {
              assert.strictEqual(status, 200, path)
              return body
            })
          )
          yield* sendWarnings
          const sql = yield* SqlClient.SqlClient
          return JSON.stringify([
            found,
            yield* sql`select coalesce(sum(sent + delivered + opened), 0)::int as total from mail_total_deltas`,
            yield* count("billing_usage"),
            yield* count("billing_meter"),
            yield* count("events"),
            yield* count("contacts"),
            yield* count("suppressions")
          ]).replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, "")
        })
        const before = yield* figures
        for (const local of ["anna", "bounced", "complained", "opened", "clicked", "failed"]) {
          const [sent] = yield* post(headers, `${local}@figures.test`)
          yield* eventually(
            Effect.andThen(TestClock.adjust("200 millis"), read(sent?.email ?? "")),
            ({ status }) => status !== "PENDING" && status !== "SENDING"
          )
        }
        assert.strictEqual(yield* figures, before)
      })
    )

    it.effect("its events go to webhooks in test mode, and to no others", () =>
      Effect.gen(function* () {
        const { headers } = yield* newKey("TEST")
        const hook = (more: object) =>
          Effect.map(
            send("POST", "/webhooks", { url: "https://hooks.example/a", events: ["email.*"], ...more }),
            ({ body }) => body
          )
        const live = yield* hook({})
        const test = yield* hook({ testMode: true })
        const other = yield* hook({ testMode: true, events: ["contact.*"] })
        assert.deepStrictEqual([live.testMode, test.testMode], [false, true])
        const [sent] = yield* post(headers, "clicked@hooks.test")
        yield* ended(sent?.email ?? "", "CLICKED")
        const deliveries = (id: string) =>
          Effect.map(
            send("GET", `/webhooks/${id}/deliveries`),
            ({ body }) => body.data as ReadonlyArray<{ id: string; type: string }>
          )
        const got = yield* deliveries(test.id)
        assert.sameMembers(
          got.map(({ type }) => type),
          ["email.sent", "email.delivery", "email.open", "email.click"]
        )
        for (const { id } of got) {
          const { body } = yield* send("GET", `/webhooks/${test.id}/deliveries/${id}`)
          assert.deepInclude(body.payload.data, {
            mode: "TEST",
            emailId: sent?.email,
            contactId: null,
            contactEmail: null
          })
        }
        assert.isEmpty(yield* deliveries(live.id))
        assert.isEmpty(yield* deliveries(other.id))
        for (const { id } of [live, test, other]) yield* send("DELETE", `/webhooks/${id}`)
      })
    )

    it.effect("idempotency keys of test mode are a space of their own", () =>
      Effect.gen(function* () {
        const test = yield* newKey("TEST")
        const live = yield* newKey("LIVE")
        const once = (headers: Record<string, string>) =>
          outcome("POST", "/v1/send", { ...mail, to: "once@example.com" }, { "idempotency-key": "order-1", ...headers })
        assert.strictEqual(yield* once(test.headers), "200 ok")
        assert.strictEqual(yield* once(test.headers), "409 IDEMPOTENCY_KEY_REUSED")
        assert.strictEqual(yield* once(live.headers), "200 ok")
        // The secret key and live API keys share theirs.
        assert.strictEqual(yield* once({}), "409 IDEMPOTENCY_KEY_REUSED")
      })
    )

    it.effect("the limit of scheduled mail and sender domains hold as for live mail", () =>
      Effect.gen(function* () {
        const { headers } = yield* newKey("TEST")
        const now = yield* DateTime.now
        const scheduledFor = DateTime.formatIso(DateTime.add(now, { hours: 2 }))
        const [later] = yield* post(headers, "later@example.com", { scheduledFor })
        assert.strictEqual(later?.status, "SCHEDULED")
        const { body } = yield* send("GET", "/activity/upcoming")
        assert.notInclude(JSON.stringify(body), later?.email ?? "")
        assert.strictEqual((yield* send("POST", `/emails/${later?.email}/cancel`, {}, headers)).status, 200)
        const from = { ...mail, from: "hi@unverified.example.com", to: "anna@example.com" }
        assert.strictEqual((yield* send("POST", "/v1/send", from, headers)).status, 403)
      })
    )

    it.effect("10,000 test mails a day create no contact and reach no transport, and the next one gets 429", () =>
      Effect.gen(function* () {
        // The mails of the other tests count too.
        const sql = yield* SqlClient.SqlClient
        yield* sql`delete from test_mail_days`
        // Nor is any of them tried again while the clock moves.
        yield* sql`update emails set status = 'CANCELLED' where status = 'PENDING'`
        const { headers } = yield* newKey("TEST")
        const tries = (yield* (yield* Peer).tries).length
        const contacts = yield* count("contacts")
        const list = (part: number) => Array.from({ length: 1_000 }, (_, n) => `many${part * 1_000 + n}@example.com`)
        yield* post(headers, list(0))
        // As if 8,000 more had been sent.
        assert.deepStrictEqual(yield* sql`update test_mail_days set count = count + 8000 returning count`, [
          { count: 9_000 }
        ])
        yield* post(headers, list(1))
        const {
          status,
          headers: answered,
          body
        } = yield* send("POST", "/v1/send", { ...mail, to: "one@more.test" }, headers)
        assert.deepStrictEqual([status, body.error.code], [429, "RATE_LIMIT_EXCEEDED"])
        assert.deepInclude(body.error.details, { limit: 10_000, scope: "test_mail" })
        assert.isAbove(Number(answered.get("retry-after")), 3_600)
        const delivered = count("emails", "to_email like 'many%' and status = 'DELIVERED'")
        yield* eventually(Effect.andThen(TestClock.adjust("1 seconds"), delivered), (found) => Number(found) >= 300)
        assert.strictEqual(yield* count("emails", "to_email like 'many%'"), 2_000)
        // The others would be delivered in the same way.
        yield* sql`update emails set status = 'CANCELLED' where to_email like 'many%' and status = 'PENDING'`
        assert.lengthOf(yield* (yield* Peer).tries, tries)
        assert.strictEqual(yield* count("contacts"), contacts)
        // Live mail is still accepted, and the next day starts from zero.
        yield* post({}, "live@example.com")
        yield* sql`update test_mail_days set day = day - 1`
        yield* post(headers, "one@more.test")
      })
    )

    it.effect("records of test mail are deleted after 30 days, and live ones stay", () =>
      Effect.gen(function* () {
        const { headers } = yield* newKey("TEST")
        const [test] = yield* post(headers, "kept@example.com", { tags: { order: "1" } })
        const [live] = yield* post({}, "kept@example.com")
        yield* ended(test?.email ?? "", "DELIVERED")
        yield* ended(live?.email ?? "", "SENT")
        const sql = yield* SqlClient.SqlClient
        const now = DateTime.toDate(yield* DateTime.now)
        const made = (age: string) => sql`
          update emails set created_at = ${now}::timestamptz - ${age}::interval where to_email = 'kept@example.com'`
        yield* made("29 days")
        yield* retain
        assert.strictEqual((yield* send("GET", `/emails/${test?.email}`)).status, 200)
        yield* made("31 days")
        yield* retain
        assert.strictEqual((yield* send("GET", `/emails/${test?.email}`)).status, 404)
        assert.strictEqual((yield* send("GET", `/emails/${live?.email}`)).status, 200)
        assert.strictEqual(yield* count("email_contents", `id = '${test?.email}'`), 0)
      })
    )
  })
}

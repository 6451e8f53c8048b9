/** Mail that comes by SMTP, from a login to the ledger and to the message that leaves. */
import { assert, describe, it, layer } from "@effect/vitest"
import { BillingLimitExceeded } from "@posthorn/contract/accounts/billing/Billing"
import { TemplateNotFound } from "@posthorn/contract/content/templates/Template"
import { PayloadTooLarge, SenderDomainUnverified, ValidationError } from "@posthorn/contract/platform/Errors"
import { DateTime, Duration, Effect, Fiber, Layer, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { Peer } from "../../testing/MailerMemory.ts"
import { key, project } from "../../testing/Services.ts"
import { send } from "../../testing/TestClient.ts"
import { configured, notify, wireWith } from "../receivers/ReceiversFixture.ts"
import * as EmailSender from "../sending/EmailSender.ts"
import { Submission } from "./Submission.ts"
import { replyTo, type SubmissionRefused } from "./SubmissionRefused.ts"
import { recipientOf } from "./SubmittedRequest.ts"

const login = { project, key: Redacted.make(key), address: "198.51.100.7" }

const crlf = (text: string) => new TextEncoder().encode(text.replace(/\r?\n/g, "\r\n"))

const submit = (text: string, ...recipients: ReadonlyArray<string>) =>
  Submission.use((submission) => submission.submit(login, { recipients, bytes: crlf(text) }))

const reply = (text: string, ...recipients: ReadonlyArray<string>) =>
  submit(text, ...recipients).pipe(
    Effect.as("250"),
    Effect.catchTag("SubmissionRefused", (error) => Effect.succeed(`${error.code} ${error.message}`))
  )

const message = (headers: string, body = "Hello") =>
  `From: Shop <hi@submit.test>\nTo: Bob <bob@example.com>\nSubject: Hi {{name}}\n${headers}\n\n${body}`.replace(
    /\n\n\n/,
    "\n\n"
  )

const record = (id: string) => Effect.map(send("GET", `/emails/${id}`), ({ body }) => body)
const group = (id: string) =>
  Effect.map(send("GET", `/emails?groupId=${id}`), ({ body }) => body.data as ReadonlyArray<Record<string, unknown>>)
const content = (id: string) => Effect.map(send("GET", `/emails/${id}/content`), ({ body }) => body)

const count = (table: string) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.orDie(Effect.map(sql`select count(*)::int as n from ${sql.literal(table)}`, ([row]) => Number(row?.["n"])))
  )

const received = "Received: from a by b\n\twith ESMTP; today\n"

for (const [name, database] of databases()) {
  const services = wireWith(database)
  const workers = EmailSender.layer.pipe(
    Layer.provide(
      Layer.succeed(EmailSender.Options, { poll: Duration.millis(100), drain: Duration.seconds(5), exclusive: true })
    )
  )
  /** The message of a mail, once a worker has sent it. */
  const leaves = Effect.fnUntraced(function* (id: string) {
    yield* Layer.build(workers)
    yield* eventually(Effect.andThen(TestClock.adjust("100 millis"), record(id)), ({ status }) => status === "SENT")
    const tries = yield* (yield* Peer).tries
    return tries.find(({ message }) => message.emailId === id)?.message ?? assert.fail()
  }, Effect.scoped)

  layer(services, { timeout: "60 seconds" })(`Submission on ${name}`, (it) => {
    it.effect("stores a message with its texts as they are, and sends it under its own Message-ID", () =>
      Effect.gen(function* () {
        yield* send("POST", "/domains", { domain: "submit.test" })
        const headers = "Message-ID: <first@client.test>\nReply-To: help@submit.test, b@submit.test\nX-Order: 4711"
        const id = yield* submit(received + message(headers), "bob@example.com")
        const found = yield* record(id)
        assert.deepInclude(found, {
          to: "bob@example.com",
          toName: "Bob",
          from: "hi@submit.test",
          fromName: "Shop",
          subject: "Hi {{name}}",
          replyTo: "help@submit.test",
          messageId: "first@client.test",
          headers: { "X-Order": "4711" },
          recipientType: "TO",
          groupId: null,
          type: "TRANSACTIONAL",
          sourceType: "TRANSACTIONAL"
        })
        assert.isString(found.contactId)
        assert.deepInclude(yield* content(id), { html: null, text: "Hello" })
        const sent = yield* leaves(id)
        assert.strictEqual(sent.messageId, "first@client.test")
        assert.deepStrictEqual(sent.to, [{ address: "bob@example.com", name: "Bob" }])
      })
    )

    it.effect("gives each recipient a mail of a group with the To and Cc of the message, and no Bcc", () =>
      Effect.gen(function* () {
        const text = message("Message-ID: <many@client.test>", "<p>Hi</p>")
          .replace(
            "To: Bob <bob@example.com>",
            'To: "B, Bob" <bob@example.com>, Eve <eve@example.com>, else@example.com'
          )
          .replace("\n\n", "\nCc: Carl <carl@example.com>\nBcc: dan@example.com\nContent-Type: text/html\n\n")
        const before = (yield* send("GET", "/contacts?limit=1")).body.total
        const all = ["carl@example.com", "eve@example.com", "bob@example.com", "dan@example.com", "bob@example.com"]
        const id = yield* submit(text, ...all)
        const mails = yield* group(id)
        assert.sameDeepMembers(
          mails.map((mail) => [mail["to"], mail["recipientType"], mail["contactId"] !== null, mail["messageId"]]),
          [
            ["eve@example.com", "TO", true, "many@client.test"],
            ["bob@example.com", "TO", true, "many@client.test"],
            ["carl@example.com", "CC", false, "many@client.test"],
            ["dan@example.com", "BCC", false, "many@client.test"]
          ]
        )
        assert.strictEqual((yield* send("GET", "/contacts?limit=1")).body.total, before + 1)
        for (const { id } of mails as ReadonlyArray<{ id: string }>) {
          const sent = yield* leaves(id)
          assert.deepStrictEqual(sent.to, [
            { address: "bob@example.com", name: "B, Bob" },
            { address: "eve@example.com", name: "Eve" },
            { address: "else@example.com", name: undefined }
          ])
          assert.deepStrictEqual(sent.cc, [{ address: "carl@example.com", name: "Carl" }])
          assert.notInclude(JSON.stringify(sent), "dan@example.com")
        }
      })
    )

    it.effect("a scheduled message is cancelled and moved with its copies; recipients in To stand for themselves", () =>
      Effect.gen(function* () {
        const at = (now: DateTime.Utc, hours: number) => DateTime.formatIso(DateTime.add(now, { hours }))
        const now = yield* DateTime.now
        const text = message(`X-Posthorn-Scheduled-For: ${at(now, 3)}`)
          .replace("To: Bob <bob@example.com>", "To: bob@example.com, eve@example.com")
          .replace("\n\n", "\nCc: carl@example.com\n\n")
        const all = ["bob@example.com", "eve@example.com", "carl@example.com", "dan@example.com"]
        const states = (id: string) =>
          Effect.map(group(id), (mails) =>
            Object.fromEntries(
              mails.map(({ to, status, scheduledFor }) => [
                String(to).split("@")[0],
                `${status}${scheduledFor === at(now, 5) ? " later" : ""}`
              ])
            )
          )
        const id = yield* submit(text, ...all)
        assert.strictEqual((yield* send("PATCH", `/emails/${id}`, { scheduledFor: at(now, 5) })).status, 200)
        const moved = { bob: "SCHEDULED later", eve: "SCHEDULED", carl: "SCHEDULED later", dan: "SCHEDULED later" }
        assert.deepStrictEqual(yield* states(id), moved)
        assert.strictEqual((yield* send("POST", `/emails/${id}/cancel`)).status, 200)
        const cancelled = { bob: "CANCELLED later", eve: "SCHEDULED", carl: "CANCELLED later", dan: "CANCELLED later" }
        assert.deepStrictEqual(yield* states(id), cancelled)

        // The first of several blind copies is a copy.
        const hidden = message(`X-Posthorn-Scheduled-For: ${at(now, 3)}`).replace(/To: .*\n/, "")
        const first = yield* submit(hidden, "carl@example.com", "dan@example.com")
        assert.strictEqual((yield* send("POST", `/emails/${first}/cancel`)).status, 200)
        assert.deepStrictEqual(yield* states(first), { carl: "CANCELLED", dan: "SCHEDULED" })
      })
    )

    it.effect("makes no contacts where the message asks for that, and shows no recipients where it has no To", () =>
      Effect.gen(function* () {
        const before = (yield* send("GET", "/contacts?limit=1")).body.total
        const off = yield* submit(message("X-Posthorn-Contacts: off"), "nobody@example.com", "bob@example.com")
        assert.deepInclude(yield* record(off), { contactId: null, recipientType: "BCC" })
        const hidden = yield* submit(message("").replace(/To: .*\n/, ""), "hidden@example.com")
        assert.deepInclude(yield* record(hidden), { contactId: null, recipientType: "BCC", groupId: hidden })
        assert.deepStrictEqual((yield* leaves(hidden)).to, [])
        const alone = yield* submit(message("X-Posthorn-Contacts: off"), "bob@example.com")
        assert.deepInclude(yield* record(alone), { contactId: null, recipientType: "TO" })
        assert.strictEqual((yield* leaves(alone)).to[0]?.address, "bob@example.com")
        assert.strictEqual((yield* send("GET", "/contacts?limit=1")).body.total, before)
      })
    )

    it.effect("stores a repeated message once: the same octets besides Received, and the same recipients", () =>
      Effect.gen(function* () {
        const text = message("Message-ID: <again@client.test>")
        const id = yield* submit(text, "bob@example.com", "eve@example.com")
        const mails = yield* count("emails")
        assert.strictEqual(yield* submit(received + text, "eve@example.com", "bob@example.com"), id)
        assert.strictEqual(yield* count("emails"), mails)
        assert.notStrictEqual(yield* submit(text, "bob@example.com"), id)
        assert.notStrictEqual(yield* submit(`${text}!`, "bob@example.com", "eve@example.com"), id)
        const plain = yield* submit(message(""), "bob@example.com")
        assert.notStrictEqual(yield* submit(message(""), "bob@example.com"), plain)
      })
    )

    it.effect("with an idempotency key, an equal content is stored once, and another is refused", () =>
      Effect.gen(function* () {
        const keyed = (id: string, body = "Hello") =>
          message(`Message-ID: <${id}@client.test>\nDate: now\nX-Posthorn-Idempotency-Key: order-1`, body)
        const id = yield* submit(keyed("a"), "bob@example.com")
        assert.strictEqual(yield* submit(keyed("b"), "bob@example.com"), id)
        assert.match(yield* reply(keyed("a", "Other"), "bob@example.com"), /^554 5\.6\.0 The idempotency key/)
        const http = yield* send(
          "POST",
          "/v1/send",
          { from: "hi@submit.test", to: "bob@example.com", subject: "Hi", text: "Hi" },
          { "idempotency-key": "order-1" }
        )
        assert.strictEqual(http.status, 409)
        const sql = yield* SqlClient.SqlClient
        yield* sql`update idempotency_keys set status = null, body = null, lease_until = now() + interval '1 minute'
                   where key = 'order-1'`
        assert.match(yield* reply(keyed("a"), "bob@example.com"), /^451 4\.5\.0/)
      })
    )

    it.effect("follows the control headers, and refuses those that it does not know", () =>
      Effect.gen(function* () {
        const template = (yield* send("POST", "/templates", {
          name: "Order",
          subject: "Order {{order}}",
          body: "<p>{{order}}</p>",
          from: "team@submit.test",
          type: "TRANSACTIONAL"
        })).body.id
        const made = yield* submit(
          message(
            `X-Posthorn-Template: ${template}\nX-Posthorn-Data: {"order": "A1"}\nX-Posthorn-Tag: order=A1\nX-Posthorn-Tag: kind=x=y`
          ),
          "bob@example.com"
        )
        assert.deepInclude(yield* record(made), {
          subject: "Order A1",
          from: "hi@submit.test",
          templateId: template,
          headers: {},
          tags: { order: "A1", kind: "x=y" }
        })
        const rendered = yield* submit(
          message('X-Posthorn-Interpolate: true\nX-Posthorn-Data: {"name": "Bob"}\nX-Posthorn-Tracking: false'),
          "bob@example.com"
        )
        assert.deepInclude(yield* record(rendered), { subject: "Hi Bob", tracking: false })
        const at = DateTime.formatIso(DateTime.add(yield* DateTime.now, { hours: 3 }))
        const later = yield* submit(message(`X-Posthorn-Scheduled-For: ${at}`), "bob@example.com")
        assert.deepInclude(yield* record(later), { status: "SCHEDULED", scheduledFor: at })
        const faults = [
          "X-Posthorn-Unknown: 1",
          "X-Posthorn-Tag: none",
          "X-Posthorn-Data: [1]",
          "X-Posthorn-Data: {",
          "X-Posthorn-Tracking: maybe",
          "X-Posthorn-Tracking: true\nX-Posthorn-Tracking: true",
          "X-Posthorn-Scheduled-For: soon",
          `X-Posthorn-Interpolate: false\nX-Posthorn-Template: ${template}`,
          `X-Posthorn-Template: ${project}`,
          `X-Posthorn-Template: ${template}\nCc: eve@example.com`,
          "X-Posthorn-Idempotency-Key: ü"
        ]
        const mails = yield* count("emails")
        for (const headers of faults) {
          const to = headers.includes("Cc:") ? ["bob@example.com", "eve@example.com"] : ["bob@example.com"]
          const [name = ""] = headers.split(":")
          const named = new RegExp(`^554 5\\.6\\.0 (?:Header ${name}\\b|No template ${project})`)
          assert.match(yield* reply(message(headers), ...to), named, headers)
        }
        assert.strictEqual(yield* count("emails"), mails)
      })
    )

    it.effect("refuses faulty headers, senders and parts with a reply that names them, and stores nothing", () =>
      Effect.gen(function* () {
        const mails = yield* count("emails")
        const refusals: ReadonlyArray<readonly [string, RegExp]> = [
          [message("Sender: x@y.z"), /^554 5\.6\.0 Header Sender/],
          [message("X-SES-CONFIGURATION-SET: mine"), /^554 5\.6\.0 Header X-SES-CONFIGURATION-SET/],
          [message("X-A: 1\nx-a: 2"), /^554 5\.6\.0 Header x-a/],
          [message(`X-A: ${"y".repeat(999)}`), /^554 5\.6\.0 Header X-A/],
          [message(Array.from({ length: 51 }, (_, n) => `X-${n}: 1`).join("\n")), /^554 5\.6\.0 .*50 headers/],
          [message("From: other@submit.test"), /^554 5\.6\.0 Header From/],
          [message("").replace(/From: .*\n/, ""), /^554 5\.6\.0 Header From/],
          [message("").replace("hi@submit.test", "hi@elsewhere.test"), /^550 5\.7\.1 The domain elsewhere\.test/],
          [message("Content-Type: multipart/signed; boundary=x"), /^554 5\.6\.1/]
        ]
        for (const [text, expected] of refusals) assert.match(yield* reply(text, "bob@example.com"), expected)
        assert.strictEqual(yield* count("emails"), mails)
        const long = Array.from({ length: 60 }, (_, n) => `<${n}-${"r".repeat(20)}@client.test>`)
        const thread = yield* submit(message(`References: ${long.join("\n ")}`), "bob@example.com")
        const references = (yield* record(thread)).headers.References
        assert.isAtMost(references.length, 998)
        assert.isTrue(references.startsWith(`${long[0]} `) && references.endsWith(String(long.at(-1))))
      })
    )

    it.effect("a report finds a mail by the Message-ID of its message, unless several messages have it", () =>
      Effect.gen(function* () {
        const text = message("Message-ID: <report@client.test>").replace("\n\n", "\nCc: eve@example.com\n\n")
        const id = yield* submit(text, "bob@example.com", "eve@example.com")
        const eve = (yield* group(id)).find(({ to }) => to === "eve@example.com")?.["id"]
        yield* leaves(id)
        yield* leaves(String(eve))
        const report = Effect.fnUntraced(function* (event: string, more: object) {
          const timestamp = DateTime.formatIso(yield* DateTime.now)
          return yield* notify({ id: event, type: "delivery", timestamp, messageId: "<report@client.test>", ...more })
        })
        yield* report("r1", { recipient: "eve@example.com" })
        assert.strictEqual((yield* record(String(eve))).status, "DELIVERED")
        assert.strictEqual((yield* record(id)).status, "SENT")
        yield* submit(`${text} again`, "bob@example.com", "eve@example.com")
        yield* report("r2", {})
        assert.strictEqual((yield* record(id)).status, "SENT")
      })
    )

    it.effect("logs in with the secret key, slowly refuses others, and blocks a client after 20 of them", () =>
      Effect.gen(function* () {
        const submission = yield* Submission
        const attempt = (password: string, address: string) =>
          Effect.gen(function* () {
            const fiber = yield* Effect.forkChild(
              submission.logIn(password, address).pipe(
                Effect.as("235"),
                Effect.catchTag("SubmissionRefused", (error) => Effect.succeed(`${error.code} ${error.message}`))
              )
            )
            yield* eventually(
              Effect.andThen(
                TestClock.adjust("100 millis"),
                Effect.sync(() => fiber.pollUnsafe())
              ),
              (exit) => exit !== undefined
            )
            return yield* Fiber.join(fiber)
          })
        assert.strictEqual(yield* attempt(key, "198.51.100.7"), "235")
        for (const password of ["", "hello", `sk_${"x".repeat(43)}`]) {
          assert.match(yield* attempt(password, "198.51.100.8"), /^535 5\.7\.8 /)
        }
        for (let n = 0; n < 20; n++) yield* attempt("wrong", `2001:db8:0:1::${n}`)
        assert.match(yield* attempt(key, "2001:db8:0:1::ffff"), /^421 4\.7\.0/)
        assert.strictEqual(yield* attempt(key, "2001:db8:0:2::1"), "235")
        yield* TestClock.adjust("16 minutes")
        assert.strictEqual(yield* attempt(key, "2001:db8:0:1::ffff"), "235")
      })
    )
  })
}

layer(Layer.provideMerge(Layer.empty, wireWith(databases()[0]?.[1] ?? assert.fail())), { timeout: "60 seconds" })(
  "A message",
  (it) => {
    const outcome = <A>(effect: Effect.Effect<A, SubmissionRefused>) =>
      Effect.match(effect, {
        onFailure: ({ code, message }) => `${code} ${message}`,
        onSuccess: () => "250"
      })
    const begun = Submission.use(({ begin }) => outcome(begin(login)))

    it.effect("is not begun while its project cannot send, with a reply that lets the client wait", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const afterCache = TestClock.adjust("2 seconds")
        assert.strictEqual(yield* begun, "250")
        yield* sql`update projects set disabled_reason = 'MANUAL' where id = ${project}`
        yield* afterCache
        assert.match(yield* begun, /^451 4\.7\.1 The project is disabled/)
        yield* sql`update projects set disabled_reason = null, resetting_since = now() where id = ${project}`
        yield* afterCache
        assert.match(yield* begun, /^451 4\.3\.0 The project is being reset/)
        yield* sql`update projects set resetting_since = null, secret_key_hash = secret_key_hash || 'x' where id = ${project}`
        yield* afterCache
        assert.match(yield* begun, /^535 5\.7\.8 /)
        yield* sql`update projects set secret_key_hash = rtrim(secret_key_hash, 'x') where id = ${project}`
        yield* afterCache
      })
    )

    it.effect("waits while its API key is over its own limit, which counts its requests too", () =>
      Effect.gen(function* () {
        const input = { name: "Printer", scopes: ["send"], rateLimitPerMinute: 3 }
        const { body: made } = yield* send("POST", "/api-keys", input)
        const { begin } = yield* Submission
        const next = outcome(begin({ ...login, key: Redacted.make(made.key) }))
        assert.deepStrictEqual([yield* next, yield* next], ["250", "250"])
        const mail = { to: "ada@example.com", from: "hi@submit.test", subject: "Hi", text: "Hi" }
        const authorization = `Bearer ${made.key}`
        assert.notStrictEqual((yield* send("POST", "/v1/send", mail, { authorization })).status, 429)
        assert.match(yield* next, /^451 4\.7\.1 Too many messages, try again in \d+ seconds$/)
        assert.strictEqual((yield* send("POST", "/v1/send", mail, { authorization })).status, 429)
        assert.strictEqual(yield* begun, "250")
        yield* TestClock.adjust("61 seconds")
        assert.strictEqual(yield* next, "250")
      })
    )

    it.effect("and a login wait while storage fails", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`alter table attempts rename to attempts_away`
        yield* sql`alter table idempotency_keys rename to keys_away`
        const submission = yield* Submission
        assert.match(yield* outcome(submission.logIn(key, "198.51.100.9")), /^454 4\.7\.0 /)
        const bytes = crlf(message("Message-ID: <away@client.test>"))
        assert.match(
          yield* outcome(submission.submit(login, { bytes, recipients: ["a@example.com"] })),
          /^451 4\.3\.0 /
        )
      })
    )
  }
)

layer(wireWith(databases()[0]?.[1] ?? assert.fail(), { ...configured, submissionRatePerMinute: 2 }), {
  timeout: "60 seconds"
})("A project over its limit of messages", (it) => {
  it.effect("begins no other message within the minute, and its requests are not limited by that", () =>
    Effect.gen(function* () {
      const { begin } = yield* Submission
      const next = Effect.match(begin(login), {
        onFailure: ({ code, status, message }) => `${code} ${status} ${message}`,
        onSuccess: () => "250"
      })
      assert.deepStrictEqual([yield* next, yield* next], ["250", "250"])
      assert.match(yield* next, /^451 4\.7\.1 .*Too many messages, try again in \d+ seconds$/)
      assert.strictEqual((yield* send("GET", "/templates")).status, 200)
      yield* TestClock.adjust("61 seconds")
      assert.strictEqual(yield* next, "250")
    })
  )
})

describe("what the service refuses", () => {
  it("has the reply that lets a relay wait, or give up", () => {
    const replyOf = (refusal: Parameters<typeof replyTo>[0]) => `${replyTo(refusal).code} ${replyTo(refusal).message}`
    const cap = { category: "total", limit: 1, used: 1, requested: 1, resetsAt: "2026-12-01T00:00:00.000Z" } as const
    assert.match(replyOf(new BillingLimitExceeded(cap)), /^451 4\.7\.1 /)
    assert.match(replyOf(new PayloadTooLarge({ limitBytes: 1 })), /^552 5\.3\.4 /)
    assert.match(replyOf(new SenderDomainUnverified({ domain: "a.test" })), /^550 5\.7\.1 The domain a\.test /)
    assert.match(replyOf(new TemplateNotFound({ id: "order" })), /^554 5\.6\.0 /)
    assert.match(replyOf(ValidationError.one("headers.X-Ü", "custom", "Not\r\nallowed.")), /^554 5\.6\.0 [ -~]+$/)
  })
})

describe("a recipient", () => {
  it("has an address in ASCII, with its domain converted", () => {
    const found = (address: string) =>
      Result.match(recipientOf(address), {
        onSuccess: (email) => email,
        onFailure: ({ code, status }) => `${code} ${status}`
      })
    assert.strictEqual(found("Ada@BÜCHER.example"), "ada@xn--bcher-kva.example")
    assert.strictEqual(found("ada"), "553 5.1.3")
    assert.strictEqual(found("ada@localhost"), "553 5.1.3")
    assert.strictEqual(found("jürgen@example.com"), "553 5.6.7")
  })
})

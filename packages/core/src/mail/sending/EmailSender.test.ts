import { assert, layer } from "@effect/vitest"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { DateTime, Deferred, Duration, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Projects } from "../../accounts/projects/Projects.ts"
import { updateTotals } from "../../insight/analytics/Totals.ts"
import { MailerError, type MailerReason } from "../../platform/Mailer.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { Peer, receipt } from "../../testing/MailerMemory.ts"
import { project, servicesOn, zone } from "../../testing/Services.ts"
import { send, wireOver } from "../../testing/TestClient.ts"
import { Domains } from "../domains/Domains.ts"
import * as DeliveryReports from "./DeliveryReports.ts"
import * as EmailSender from "./EmailSender.ts"

const senderDomain = Layer.effectDiscard(
  Effect.orDie(Domains.use((domains) => domains.add(project, { domain: "verified.test" })))
)

const senderOn = (database: Layer.Layer<SqlClient.SqlClient>) =>
  EmailSender.layer.pipe(
    Layer.provideMerge(senderDomain),
    Layer.provideMerge(wireOver(servicesOn(database))),
    Layer.provide(
      Layer.succeed(EmailSender.Options, { poll: Duration.seconds(1), drain: Duration.seconds(5), exclusive: true })
    )
  )

const mail = { from: "hi@verified.test", subject: "Hello {{name ?? you}}", body: "<p>Hi {{name}}</p>" }

const post = Effect.fnUntraced(function* (to: string, more = {}) {
  const { status, body } = yield* send("POST", "/v1/send", { ...mail, to, ...more })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return String(body.data.emails[0].email)
})

const read = (id: string) => Effect.map(send("GET", `/emails/${id}`), ({ body }) => body)

const until = (id: string, status: string) =>
  eventually(Effect.andThen(TestClock.adjust("200 millis"), read(id)), (found) => found.status === status)

const refuse = (reason: MailerReason, code?: number, enhancedCode?: string, reply = `${code} ${enhancedCode}`) =>
  new MailerError({ reason, transport: "smtp1", code, enhancedCode, reply })

for (const [name, database] of databases()) {
  layer(senderOn(database), { timeout: "60 seconds", excludeTestServices: false })(`EmailSender on ${name}`, (it) => {
    it.effect("takes what was accepted, says who it is from, and records that it left", () =>
      Effect.gen(function* () {
        const id = yield* post("anna@example.com", {
          data: { name: "Anna" },
          headers: { "X-Campaign": "spring" },
          reply: "reply@example.com",
          tracking: false
        })
        const sent = yield* until(id, "SENT")
        const [message] = (yield* (yield* Peer).accepted).slice(-1)
        assert.deepInclude(message, {
          subject: "Hello Anna",
          html: "<p>Hi Anna</p>",
          text: "Hi Anna",
          messageId: `${id}@verified.test`,
          replyTo: { address: "reply@example.com", name: undefined }
        })
        assert.deepStrictEqual(message?.from, { address: "hi@verified.test", name: "Example" })
        assert.deepStrictEqual(
          message?.dkim.map(({ algorithm }) => algorithm),
          ["rsa-sha256", "ed25519-sha256"]
        )
        const headers = new Map(message?.headers)
        assert.strictEqual(headers.get("X-Campaign"), "spring")
        assert.strictEqual(headers.get("X-Posthorn-Email-Id"), id)
        assert.strictEqual(headers.get("Auto-Submitted"), "auto-generated")
        assert.isUndefined(headers.get("List-Unsubscribe"))
        assert.deepStrictEqual(
          sent.timeline.map(({ type }: { type: string }) => type),
          ["accepted", "sent"]
        )
        assert.deepInclude(sent.attemptLog[0], { number: 1, outcome: "accepted", transport: "memory", code: 250 })
        const events = yield* SqlClient.SqlClient.use((sql) => sql`select name from events where email_id = ${id}`)
        assert.deepStrictEqual(events, [{ name: "email.sent" }])
      })
    )

    it.effect("wakes the dispatcher of events once it has run out of mail", () =>
      Effect.gen(function* () {
        // Its contact exists before the second mail, so only the sender records an event then.
        yield* until(yield* post("known@example.com"), "SENT")
        yield* TestClock.adjust("1 second")
        const woken = yield* Effect.flatMap(Wakeups, ({ events }) => events.listen)
        const sql = yield* SqlClient.SqlClient
        const waiting = yield* Effect.forkChild(
          Effect.andThen(woken, sql`select name from events where email_id = (select max(id::text)::uuid from emails)`)
        )
        const id = yield* post("known@example.com")
        yield* until(id, "SENT")
        yield* TestClock.adjust("100 millis")
        assert.deepStrictEqual(yield* Fiber.join(waiting), [{ name: "email.sent" }])
      })
    )

    it.effect("keeps the dialogue of the tries that the project wants, until the person is erased", () =>
      Effect.gen(function* () {
        const peer = yield* Peer
        const lines = (reply: string) => [
          { at: 3, from: "C" as const, text: "RCPT TO:<kept@example.com>" },
          { at: 12, from: "S" as const, text: reply }
        ]
        const accepted = { ...receipt, dialogue: { reused: true, lines: lines("250 Ok") } }
        const refused = new MailerError({
          ...refuse("refused", 451, "4.3.0"),
          dialogue: { reused: false, lines: lines("451 4.3.0 later") }
        })
        yield* peer.answer((_, attempt) => (attempt < 2 ? Effect.fail(refused) : Effect.succeed(accepted)))
        const kept = Effect.fnUntraced(function* (smtpDialogue: "ALL" | "FAILURES" | "NONE") {
          yield* Projects.use((projects) => projects.update(project, { smtpDialogue }))
          const id = yield* post("kept@example.com")
          yield* eventually(Effect.andThen(TestClock.adjust("200 millis"), read(id)), ({ attempts }) => attempts === 1)
          yield* TestClock.adjust("2 minutes")
          const sent = yield* until(id, "SENT")
          const envelopes = (yield* peer.tries).slice(-2).map(({ envelope }) => envelope.dialogue)
          assert.deepStrictEqual(envelopes, [smtpDialogue, smtpDialogue])
          const log = sent.attemptLog.map((_: Record<string, unknown>) => [_["reused"], _["dialogue"]])
          return { contact: sent.contactId, id, log }
        })
        const failure = [false, lines("451 4.3.0 later")]
        assert.deepStrictEqual((yield* kept("FAILURES")).log, [failure, [null, null]])
        const { contact, id, log } = yield* kept("ALL")
        assert.deepStrictEqual(log, [failure, [true, lines("250 Ok")]])
        yield* send("POST", `/contacts/${contact}/erase`)
        const erased = yield* read(id)
        assert.notInclude(JSON.stringify(erased), "kept@example.com")
        assert.deepStrictEqual(
          erased.attemptLog.map((_: { dialogue: unknown }) => _.dialogue),
          [null, null]
        )
        yield* Projects.use((projects) => projects.update(project, { smtpDialogue: "FAILURES" }))
        yield* peer.answer(() => Effect.succeed(receipt))
      })
    )

    it.effect("records the mailbox provider at the first try, in the mail, its events and the results", () =>
      Effect.gen(function* () {
        const peer = yield* Peer
        zone.set("acme.test", { mx: [{ priority: 10, exchange: "acme-test.mail.protection.outlook.com" }] })
        yield* peer.answer((_, attempt) =>
          attempt < 2 ? Effect.fail(refuse("refused", 451, "4.3.0")) : Effect.succeed(receipt)
        )
        const id = yield* post("ada@acme.test")
        assert.isNull((yield* read(id)).provider)
        yield* eventually(Effect.andThen(TestClock.adjust("200 millis"), read(id)), ({ attempts }) => attempts === 1)
        assert.strictEqual((yield* read(id)).provider, "MICROSOFT365")
        yield* TestClock.adjust("2 minutes")
        yield* until(id, "SENT")
        yield* peer.answer(() => Effect.succeed(receipt))
        yield* Effect.flatMap(DeliveryReports.make, (reports) =>
          Effect.flatMap(DateTime.now, (at) =>
            reports.report(EmailId.make(id), { kind: "delivered", at }, { kind: "test", id })
          )
        )
        const events = yield* SqlClient.SqlClient.use(
          (sql) => sql`select data ->> 'provider' as provider from events where email_id = ${id}`
        )
        assert.deepStrictEqual(events, [{ provider: "MICROSOFT365" }, { provider: "MICROSOFT365" }])
        const { body } = yield* send("GET", "/analytics/providers")
        const expected = {
          provider: "MICROSOFT365",
          sent: 1,
          delivered: 1,
          deferred: 1,
          opened: 0,
          humanOpened: 0,
          clicked: 0,
          humanClicked: 0,
          bounced: 0,
          complained: 0,
          failed: 0,
          deliveryRate: 100,
          openRate: 0,
          clickRate: 0,
          bounceRate: 0
        }
        const found = (providers: ReadonlyArray<{ provider: string }>) =>
          providers.find(({ provider }) => provider === "MICROSOFT365")
        assert.deepStrictEqual<unknown>(found(body), expected)
        yield* updateTotals
        assert.deepStrictEqual<unknown>(found((yield* send("GET", "/analytics/providers")).body), expected)
        assert.deepStrictEqual((yield* send("GET", "/analytics/providers?endDate=2020-01-01")).body, [])
        assert.strictEqual(
          (yield* send("GET", "/analytics/providers?startDate=2020-01-01&endDate=2022-01-01")).status,
          400
        )
      })
    )

    it.effect("climbs the ladder under one Message-ID until the peer takes it", () =>
      Effect.gen(function* () {
        const peer = yield* Peer
        yield* peer.answer((_, attempt) =>
          attempt < 3 ? Effect.fail(refuse("refused", 451, "4.3.0")) : Effect.succeed(receipt)
        )
        const id = yield* post("greylisted@example.com")
        yield* until(id, "PENDING")
        yield* eventually(read(id), ({ attempts }) => attempts === 1)
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual((yield* read(id)).attempts, 1)
        yield* TestClock.adjust("1 minute")
        yield* eventually(Effect.andThen(TestClock.adjust("200 millis"), read(id)), ({ attempts }) => attempts === 2)
        yield* TestClock.adjust("7 minutes")
        const sent = yield* until(id, "SENT")
        assert.deepStrictEqual(
          sent.attemptLog.map((_: { outcome: string }) => _.outcome),
          ["deferred", "deferred", "accepted"]
        )
        const ids = (yield* peer.tries).filter((_) => _.message.emailId === id).map((_) => _.message.messageId)
        assert.deepStrictEqual(new Set(ids).size, 1)
        yield* peer.answer(() => Effect.succeed(receipt))
      })
    )

    it.effect.each([
      { reply: "250 2.0.0 <anna@example.com> accepted", ends: "SENT" },
      { reply: "550 5.1.1 <anna@example.com> unknown", ends: "BOUNCED" },
      { reply: "554 5.6.0 <anna@example.com> does not want this", ends: "FAILED" },
      { reply: "452 4.2.2 <anna@example.com> is full", ends: "PENDING" }
    ])("who is erased while the mail is on the wire is named by nothing that follows: $ends", ({ reply, ends }) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const peer = yield* Peer
        const begun = yield* Deferred.make<void>()
        const erased = yield* Deferred.make<void>()
        const [code, enhancedCode] = [Number(reply.slice(0, 3)), reply.slice(4, 9)]
        const answer =
          code === 250
            ? Effect.succeed({ ...receipt, reply })
            : Effect.fail(refuse("refused", code, enhancedCode, reply))
        yield* peer.answer(() =>
          Deferred.succeed(begun, undefined).pipe(Effect.andThen(Deferred.await(erased)), Effect.andThen(answer))
        )
        const id = yield* post("anna@example.com", { subject: "For Anna" })
        yield* eventually(Effect.andThen(TestClock.adjust("200 millis"), Deferred.isDone(begun)), (isDone) => isDone)
        assert.strictEqual((yield* send("POST", `/contacts/${(yield* read(id)).contactId}/erase`)).status, 200)
        yield* Deferred.succeed(erased, undefined)
        yield* until(id, ends)
        yield* peer.answer(() => Effect.succeed(receipt))
        assert.notInclude(JSON.stringify(yield* read(id)).toLowerCase(), "anna")
        const traces = [sql`select * from events where email_id = ${id}`, sql`select * from soft_bounces`]
        for (const trace of traces) assert.deepStrictEqual(yield* trace, [])
        assert.deepStrictEqual(yield* sql`select * from suppressions where email like 'anna%'`, [])
      })
    )

    it.effect("an address that is refused for good bounces, is suppressed, and its contact unsubscribed", () =>
      Effect.gen(function* () {
        const peer = yield* Peer
        yield* peer.answer(() => Effect.fail(refuse("refused", 550, "5.1.1")))
        const id = yield* post("gone@example.com", { subscribed: true })
        const bounced = yield* until(id, "BOUNCED")
        assert.isNotNull(bounced.bouncedAt)
        yield* peer.answer(() => Effect.succeed(receipt))
        const again = yield* send("POST", "/v1/send", { ...mail, to: "gone@example.com" })
        assert.strictEqual(again.body.data.emails[0].status, "SUPPRESSED")
        const { body } = yield* send("GET", "/contacts?search=gone@example.com")
        assert.strictEqual(body.data[0].subscribed, false)
        const record = yield* read(again.body.data.emails[0].email)
        assert.deepInclude(record, { status: "SUPPRESSED", suppressionReason: "HARD_BOUNCE", attempts: 0 })
        assert.strictEqual((yield* peer.tries).filter((_) => _.envelope.to === "gone@example.com").length, 1)
      })
    )

    it.effect("ambiguous mail waits for evidence, and a delivery notice settles it", () =>
      Effect.gen(function* () {
        const peer = yield* Peer
        yield* peer.answer(() => Effect.fail(refuse("ambiguous")))
        const [waiting, proven] = [yield* post("again@example.com"), yield* post("proven@example.com")]
        yield* until(waiting, "AMBIGUOUS")
        yield* until(proven, "AMBIGUOUS")
        yield* peer.answer(() => Effect.succeed(receipt))
        const notice = { kind: "delivered", at: yield* DateTime.now } as const
        const report = Effect.flatMap(DeliveryReports.make, (notices) =>
          notices.report(EmailId.make(proven), notice, { kind: "test", id: proven })
        )
        assert.deepStrictEqual([yield* report, yield* report], ["applied", "duplicate"])
        yield* TestClock.adjust("25 seconds")
        yield* until(waiting, "SENT")
        assert.strictEqual((yield* read(proven)).status, "DELIVERED")
        assert.strictEqual((yield* peer.tries).filter((_) => _.envelope.to === "proven@example.com").length, 1)
      })
    )

    it.effect("a failed mail can be tried again by hand, a sent one cannot, a waiting one can be cancelled", () =>
      Effect.gen(function* () {
        const peer = yield* Peer
        yield* peer.answer(() => Effect.fail(refuse("refused", 550, "5.7.1")))
        const id = yield* post("policy@example.com")
        const failed = yield* until(id, "FAILED")
        assert.deepInclude(failed.error, { code: "rejected" })
        yield* peer.answer(() => Effect.succeed(receipt))
        const retried = yield* send("POST", `/emails/${id}/retry`)
        assert.deepStrictEqual([retried.status, retried.body.status], [200, "PENDING"])
        const sent = yield* until(id, "SENT")
        assert.include(
          sent.timeline.map(({ type }: { type: string }) => type),
          "retried"
        )
        const refused = yield* send("POST", `/emails/${id}/retry`)
        assert.deepStrictEqual([refused.status, refused.body.error.details.reason], [409, "not_retryable"])
        const late = yield* send("POST", `/emails/${id}/cancel`)
        assert.deepStrictEqual([late.status, late.body.error.details.reason], [409, "not_cancellable"])
        yield* peer.answer(() => Effect.fail(refuse("refused", 451)))
        const waiting = yield* post("later@example.com")
        yield* eventually(read(waiting), ({ attempts }) => attempts === 1)
        const cancelled = yield* send("POST", `/emails/${waiting}/cancel`)
        assert.deepStrictEqual([cancelled.status, cancelled.body.status], [200, "CANCELLED"])
        assert.strictEqual((yield* send("POST", `/emails/${waiting}/cancel`)).status, 200)
        yield* peer.answer(() => Effect.succeed(receipt))
      })
    )

    it.effect("a deleted contact's waiting mail is cancelled, its sent mail stays without it", () =>
      Effect.gen(function* () {
        const peer = yield* Peer
        const sentId = yield* post("leaver@example.com")
        const sent = yield* until(sentId, "SENT")
        yield* peer.answer(() => Effect.fail(refuse("refused", 451)))
        const waiting = yield* post("leaver@example.com")
        yield* eventually(read(waiting), ({ attempts }) => attempts === 1)
        assert.strictEqual((yield* send("DELETE", `/contacts/${sent.contactId}`)).status, 204)
        assert.deepInclude(yield* read(waiting), { status: "CANCELLED", contactId: null })
        assert.deepInclude(yield* read(sentId), { status: "SENT", contactId: null })
        yield* peer.answer(() => Effect.succeed(receipt))
      })
    )

    it.effect("shows the content as it was rendered, and the whole message as it goes out", () =>
      Effect.gen(function* () {
        const id = yield* post("content@example.com", { data: { name: { value: "once", persistent: false } } })
        const { body } = yield* send("GET", `/emails/${id}/content`)
        assert.deepInclude(body, { subject: "Hello once", html: "<p>Hi once</p>", text: "Hi once", purgedAt: null })
        const { body: contact } = yield* send("GET", "/contacts?search=content@example.com")
        assert.deepStrictEqual(contact.data[0].data, {})
      })
    )
  })
}

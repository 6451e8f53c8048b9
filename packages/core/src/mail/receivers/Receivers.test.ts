import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Clock, DateTime, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../../testing/Databases.ts"
import { settings } from "../../testing/Services.ts"
import { clientHeader, outcome, send, Wire } from "../../testing/TestClient.ts"
import { Receivers } from "./Receivers.ts"
import { eventsOf, mailTo, notify, read, secret, tally, wireWith } from "./ReceiversFixture.ts"

const now = Effect.map(DateTime.now, DateTime.formatIso)

const event = (type: string, emailId: string, more: object = {}) =>
  Effect.map(now, (timestamp) => ({ id: randomUUID(), type, emailId, timestamp, ...more }))

const data = (response: { readonly body: { readonly data: unknown } }) => response.body.data

for (const [name, database] of databases()) {
  layer(wireWith(database), { timeout: "120 seconds" })(`Notifications on ${name}`, (it) => {
    it.effect("a delivery is recorded with its event, once", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 10, 20, 15))
        const id = yield* mailTo("one@example.com")
        const report = yield* event("delivery", id, { recipient: "ONE@example.com" })
        const first = yield* notify(report)
        assert.deepStrictEqual([first.status, first.body], [200, { success: true, data: tally({ accepted: 1 }) }])
        assert.deepStrictEqual(data(yield* notify({ events: [report, report] })), tally({ duplicates: 2 }))
        const mail = yield* read(id)
        assert.deepInclude(mail, { status: "DELIVERED", deliveredAt: "2026-11-20T15:00:00.000Z" })
        const [reported, ...others] = yield* eventsOf(id)
        assert.strictEqual(others.length, 0)
        assert.strictEqual(reported?.name, "email.delivery")
        assert.deepInclude(reported?.data, {
          emailId: id,
          messageId: `${id}@shop.test`,
          to: "one@example.com",
          subject: "Hello",
          deliveredAt: "2026-11-20T15:00:00.000Z"
        })
      })
    )

    it.effect("a second delivery report is a duplicate, and the timeline has both", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 10, 20, 15))
        const id = yield* mailTo("twice@example.com", "SENT", { sentAt: new Date(Date.UTC(2026, 10, 20, 14)) })
        const report = (name: string, timestamp: string) =>
          notify({ id: name, type: "delivery", emailId: id, timestamp })
        const first = yield* report("twice-1", "2026-11-20T14:30:00.000Z")
        assert.deepStrictEqual(data(first), tally({ accepted: 1 }))
        // One of an earlier time, and many at once, are no news either.
        assert.deepStrictEqual(data(yield* report("twice-2", "2026-11-20T14:20:00.000Z")), tally({ duplicates: 1 }))
        const many = yield* Effect.forEach(
          ["a", "b", "c", "d"],
          (name) => report(`twice-${name}`, "2026-11-20T14:40:00.000Z"),
          { concurrency: 4 }
        )
        for (const answer of many) assert.deepStrictEqual(data(answer), tally({ duplicates: 1 }))
        const mail = yield* read(id)
        assert.deepInclude(mail, { status: "DELIVERED", deliveredAt: "2026-11-20T14:30:00.000Z" })
        assert.deepStrictEqual(
          (yield* eventsOf(id)).map(({ name, data }) => [name, data["deliveredAt"]]),
          [["email.delivery", "2026-11-20T14:30:00.000Z"]]
        )
        const delivered = mail.timeline.filter(({ type }: { type: string }) => type === "delivered")
        assert.deepStrictEqual(
          delivered.map(({ at }: { at: string }) => at),
          ["2026-11-20T14:20:00.000Z", "2026-11-20T14:30:00.000Z", "2026-11-20T14:40:00.000Z"]
        )
      })
    )

    it.effect("two concurrent first delivery reports give one event", () =>
      Effect.gen(function* () {
        const id = yield* mailTo("race@example.com")
        const reports = yield* Effect.forEach(
          [1, 2, 3, 4, 5, 6],
          (n) => Effect.flatMap(event("delivery", id, { id: `race-${n}` }), (report) => notify(report)),
          { concurrency: 6 }
        )
        const accepted = reports.filter((answer) => answer.body.data.accepted === 1)
        assert.deepStrictEqual([accepted.length, (yield* eventsOf(id)).length], [1, 1])
      })
    )

    it.effect("a permanent bounce suppresses the address and ends the subscription, with events", () =>
      Effect.gen(function* () {
        const { body: contact } = yield* send("POST", "/contacts", { email: "gone@example.com" })
        const id = yield* mailTo("gone@example.com")
        const bounce = yield* event("bounce", id, { status: "5.1.1", diagnostic: "550 5.1.1 user unknown" })
        assert.deepStrictEqual(data(yield* notify(bounce)), tally({ accepted: 1 }))
        assert.deepInclude(yield* read(id), {
          status: "BOUNCED",
          error: { code: "rejected", message: "550 5.1.1 user unknown" }
        })
        assert.isFalse((yield* send("GET", `/contacts/${contact.id}`)).body.subscribed)
        assert.deepInclude((yield* send("GET", "/suppressions/gone@example.com")).body, {
          reason: "HARD_BOUNCE",
          emailId: id
        })
        const reported = yield* eventsOf(id)
        assert.deepStrictEqual(
          reported.map(({ name, data: { bounceType, status, diagnostic, reason } }) => [
            name,
            bounceType,
            status,
            diagnostic,
            reason
          ]),
          [
            ["email.bounce", "Permanent", "5.1.1", "550 5.1.1 user unknown", undefined],
            ["contact.unsubscribed", undefined, undefined, undefined, "bounce"]
          ]
        )
      })
    )

    it.effect("a transient bounce is only an event, an undetermined one only ends the mail", () =>
      Effect.gen(function* () {
        const { body: contact } = yield* send("POST", "/contacts", { email: "soft@example.com" })
        const [soft, policy] = [yield* mailTo("soft@example.com"), yield* mailTo("soft@example.com")]
        yield* notify(yield* event("bounce", soft, { status: "4.4.7", diagnostic: "delivery expired" }))
        yield* notify(yield* event("bounce", policy, { status: "5.7.1", diagnostic: "550 5.7.1 refused" }))
        assert.strictEqual((yield* read(soft)).status, "SENT")
        assert.strictEqual((yield* read(policy)).status, "BOUNCED")
        const [transient] = yield* eventsOf(soft)
        assert.deepInclude(transient?.data, { bounceType: "Transient", transientBounce: true })
        assert.notProperty(transient?.data, "bouncedAt")
        assert.deepInclude((yield* eventsOf(policy))[0]?.data, { bounceType: "Undetermined" })
        assert.isTrue((yield* send("GET", `/contacts/${contact.id}`)).body.subscribed)
        assert.strictEqual((yield* send("GET", "/suppressions/soft@example.com")).status, 404)
      })
    )

    it.effect("five full mailboxes in seven days suppress the address", () =>
      Effect.gen(function* () {
        for (const n of [1, 2, 3, 4, 5]) {
          assert.strictEqual((yield* send("GET", "/suppressions/full@example.com")).status, 404, String(n))
          const id = yield* mailTo("full@example.com")
          yield* notify(yield* event("bounce", id, { status: "5.2.2", diagnostic: "mailbox full" }))
        }
        const { body } = yield* send("GET", "/suppressions/full@example.com")
        assert.strictEqual(body.reason, "HARD_BOUNCE")
      })
    )

    it.effect("a complaint takes precedence over every status; not-spam leaves only a receipt", () =>
      Effect.gen(function* () {
        const { body: contact } = yield* send("POST", "/contacts", { email: "spam@example.com" })
        const id = yield* mailTo("spam@example.com", "BOUNCED")
        const fine = yield* event("complaint", id, { feedbackType: "not-spam" })
        assert.deepStrictEqual(data(yield* notify(fine)), tally({ ignored: 1 }))
        assert.deepStrictEqual(data(yield* notify(fine)), tally({ duplicates: 1 }))
        assert.strictEqual((yield* read(id)).status, "BOUNCED")
        yield* notify(yield* event("complaint", id, { feedbackType: "fraud" }))
        assert.strictEqual((yield* read(id)).status, "COMPLAINED")
        const [reported] = yield* eventsOf(id)
        assert.deepInclude(reported?.data, { feedbackType: "fraud" })
        assert.isFalse((yield* send("GET", `/contacts/${contact.id}`)).body.subscribed)
        assert.strictEqual((yield* send("GET", "/suppressions/spam@example.com")).body.reason, "COMPLAINT")
      })
    )

    it.effect("if the contact has another address now, it is not changed, but the old address is suppressed", () =>
      Effect.gen(function* () {
        const { body: contact } = yield* send("POST", "/contacts", { email: "before@example.com" })
        const id = yield* mailTo("before@example.com")
        yield* send("PATCH", `/contacts/${contact.id}`, { email: "after@example.com" })
        yield* notify(yield* event("bounce", id, { bounceType: "Permanent" }))
        assert.isTrue((yield* send("GET", `/contacts/${contact.id}`)).body.subscribed)
        assert.strictEqual((yield* send("GET", "/suppressions/before@example.com")).status, 200)
        assert.strictEqual((yield* send("GET", "/suppressions/after@example.com")).status, 404)
      })
    )

    it.effect("a deferral is only in the timeline", () =>
      Effect.gen(function* () {
        const id = yield* mailTo("later@example.com")
        yield* notify(yield* event("deferral", id, { status: "4.4.1", diagnostic: "no answer from host" }))
        const mail = yield* read(id)
        assert.strictEqual(mail.status, "SENT")
        assert.deepInclude(
          mail.timeline.map((_: { type: string; detail?: string }) => [_.type, _.detail]),
          ["deferred", "4.4.1 no answer from host"]
        )
        assert.deepStrictEqual(yield* eventsOf(id), [])
      })
    )

    it.effect("a mail that its provider rejected fails, unless it was delivered", () =>
      Effect.gen(function* () {
        const [bad, fine] = [yield* mailTo("bad@example.com"), yield* mailTo("fine@example.com")]
        yield* notify(yield* event("rejected", bad, { diagnostic: "Bad content" }))
        assert.deepInclude(yield* read(bad), { status: "FAILED", error: { code: "rejected", message: "Bad content" } })
        assert.deepStrictEqual(
          (yield* eventsOf(bad)).map(({ name }) => name),
          ["email.failed"]
        )
        yield* notify({ events: [yield* event("delivery", fine), yield* event("rejected", fine)] })
        assert.strictEqual((yield* read(fine)).status, "DELIVERED")
      })
    )

    it.effect("an ambiguous mail is settled by a report that proves that it was sent", () =>
      Effect.gen(function* () {
        const id = yield* mailTo("maybe@example.com", "AMBIGUOUS")
        yield* notify(yield* event("delivery", id))
        const mail = yield* read(id)
        assert.deepInclude(mail, { status: "DELIVERED", error: null })
        assert.isNotNull(mail.sentAt)
      })
    )

    it.effect("mail is found by its Message-ID and by its provider's id, and a foreign recipient is ignored", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [a, b] = [yield* mailTo("ids@example.com"), yield* mailTo("ids@example.com")]
        yield* sql`
          insert into provider_ids (provider_id, project_id, email_id)
          select '010201-provider', project_id, id from emails where id = ${b}`
        const timestamp = yield* now
        const named = (messageId: string, more: object = {}) => ({
          id: randomUUID(),
          type: "delivery",
          messageId,
          timestamp,
          ...more
        })
        const events = [
          named(`<${a}@shop.test>`, { recipient: "other@example.com" }),
          named(`<${a}@shop.test>`),
          named("<010201-provider@eu-west-1.amazonses.com>")
        ]
        assert.deepStrictEqual(data(yield* notify({ events })), tally({ accepted: 2, ignored: 1 }))
        assert.deepStrictEqual([(yield* read(a)).status, (yield* read(b)).status], ["DELIVERED", "DELIVERED"])
      })
    )

    it.effect("a report about mail that is not known yet waits for it, and is dropped after a day", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { retryParked } = yield* Receivers
        const early = yield* mailTo("early@example.com", "SENDING")
        const never = randomUUID()
        const events = [yield* event("delivery", early), yield* event("bounce", never)]
        assert.deepStrictEqual(data(yield* notify({ events })), tally({ parked: 2 }))
        assert.deepStrictEqual(data(yield* notify({ events })), tally({ duplicates: 2 }))
        yield* TestClock.adjust("1 minute")
        yield* retryParked
        assert.strictEqual((yield* read(early)).status, "SENDING")
        yield* sql`update emails set status = 'SENT' where id = ${early}`
        yield* TestClock.adjust("1 minute")
        yield* retryParked
        assert.strictEqual((yield* read(early)).status, "DELIVERED")
        assert.strictEqual((yield* eventsOf(early)).length, 1)
        assert.deepStrictEqual(data(yield* notify(events[0])), tally({ duplicates: 1 }))
        const left = Effect.map(sql`select id from parked_notifications`, (rows) => rows.length)
        yield* TestClock.adjust("23 hours")
        yield* retryParked
        assert.strictEqual(yield* left, 1)
        yield* TestClock.adjust("1 hour")
        yield* retryParked
        assert.strictEqual(yield* left, 0)
      })
    )

    it.effect("a report about suppressed or cancelled mail is ignored; a future time counts as now", () =>
      Effect.gen(function* () {
        const stopped = yield* mailTo("stopped@example.com", "CANCELLED")
        assert.deepStrictEqual(data(yield* notify(yield* event("bounce", stopped))), tally({ ignored: 1 }))
        const id = yield* mailTo("future@example.com")
        yield* notify(yield* event("delivery", id, { timestamp: "2099-01-01T00:00:00Z" }))
        assert.strictEqual((yield* read(id)).deliveredAt, yield* now)
      })
    )

    it.effect("events go to the project of their mail", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const other = randomUUID()
        const id = yield* mailTo("tenant@example.com", "SENT", { project: other })
        yield* notify(yield* event("complaint", id))
        assert.strictEqual((yield* send("GET", "/suppressions/tenant@example.com")).status, 404)
        const rows = yield* sql`select project_id as project from suppressions where email = 'tenant@example.com'`
        assert.deepStrictEqual(
          rows.map(({ project }) => project),
          [other]
        )
      })
    )

    it.effect("opens and clicks of a provider are handled like our own, and change the status", () =>
      Effect.gen(function* () {
        yield* send("POST", "/contacts", { email: "reader@example.com" })
        const minutesAgo = new Date((yield* Clock.currentTimeMillis) - 60_000)
        const id = yield* mailTo("reader@example.com", "SENT", { sentAt: minutesAgo })
        const browser =
          "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.0 Safari/605.1.15"
        const open = yield* event("open", id, { userAgent: browser })
        assert.deepStrictEqual(data(yield* notify(open)), tally({ accepted: 1 }))
        assert.deepStrictEqual(data(yield* notify(open)), tally({ duplicates: 1 }))
        assert.deepInclude(yield* read(id), { status: "OPENED", opens: 1, machineOpens: 0 })
        yield* TestClock.adjust("1 minute")
        yield* notify(yield* event("click", id, { link: "https://example.com/a" }))
        assert.deepInclude(yield* read(id), { status: "CLICKED", clicks: 1, machineClicks: 1 })
        yield* notify(yield* event("bounce", id, { bounceType: "Undetermined" }))
        yield* TestClock.adjust("1 minute")
        yield* notify(yield* event("open", id, { userAgent: browser }))
        assert.deepInclude(yield* read(id), { status: "BOUNCED", opens: 2 })
      })
    )

    it.effect("inbound mail is an event of its sender, for each project with a recipient", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* send("POST", "/domains", { domain: "inbound.test" })
        const mail = {
          from: "Ada@Example.com",
          fromName: "Ada",
          to: ["Shop <help@inbound.test>", "else@nowhere.test"],
          subject: "Where is it?",
          text: "ä".repeat(20_000),
          attachments: [{ filename: "a.pdf", contentType: "application/pdf", size: 9 }],
          spf: "pass"
        }
        const given = { id: randomUUID(), type: "inbound", timestamp: yield* now, mail }
        assert.deepStrictEqual(data(yield* notify(given)), tally({ accepted: 1 }))
        assert.deepStrictEqual(data(yield* notify(given)), tally({ duplicates: 1 }))
        const stranger = { ...given, id: randomUUID(), mail: { ...mail, to: "x@nowhere.test" } }
        assert.deepStrictEqual(data(yield* notify(stranger)), tally({ ignored: 1 }))
        const { body } = yield* send("GET", "/contacts?search=ada@example.com")
        assert.strictEqual(body.data[0].subscribed, false)
        const rows = yield* sql<{ data: Record<string, unknown> }>`
          select data from events where name = 'email.received' and contact_id = ${body.data[0].id}`
        assert.strictEqual(rows.length, 1)
        assert.deepInclude(rows[0]?.data, {
          from: "ada@example.com",
          fromName: "Ada",
          to: "Shop <help@inbound.test>",
          subject: "Where is it?",
          text: "ä".repeat(12 * 1024),
          spf: "pass",
          dkim: null,
          attachments: [{ filename: "a.pdf", contentType: "application/pdf", size: 9 }]
        })
      })
    )

    // As many as POSTHORN_REPLAY says: 10,000 take minutes.
    it.effect(
      "notifications, sent three times in random order, have the same result",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const count = Number(process.env["POSTHORN_REPLAY"] ?? 200)
          const state = Effect.flatMap(
            sql`
            select to_email, status, delivered_at is not null as delivered, bounced_at, complained_at, failed_at, bounced_for_good, error_message,
                   (select count(*)::int from events where email_id = emails.id) as events
            from emails where to_email like '%@replay.test' order by to_email`,
            (rows) => Effect.succeed(JSON.stringify(rows))
          )
          const mails = yield* Effect.forEach(Array.from({ length: count / 4 }), (_, n) => mailTo(`m${n}@replay.test`))
          const base = yield* Clock.currentTimeMillis
          const kinds = ["delivery", "bounce", "bounce", "complaint", "deferral", "delivery"]
          const types = ["Permanent", "Transient", "Undetermined"]
          const events = Array.from({ length: count }, (_, n) => ({
            id: `replay-${name}-${n}`,
            type: kinds[(n * 7) % 6],
            emailId: mails[n % mails.length],
            timestamp: new Date(base - ((n * 7919) % 1000)).toISOString(),
            bounceType: types[(n * 5) % 3],
            diagnostic: `reason ${n % 3}`
          }))
          const shuffled = <A>(items: ReadonlyArray<A>, seed: number) =>
            items
              .map((item, n) => [((n + 1) * 2654435761 * seed) % 4294967296, item] as const)
              .sort(([a], [b]) => a - b)
              .map(([, item]) => item)
          // A mail is delivered once, whichever of its reports comes first.
          const delivered = events.filter(({ type }) => type === "delivery").map(({ emailId }) => emailId)
          const repeated = delivered.length - new Set(delivered).size
          const ends: Array<string> = []
          let accepted = 0
          for (const seed of [1, 37, 101]) {
            const order = shuffled(events, seed)
            for (let at = 0; at < order.length; at += 500) {
              const { status, body } = yield* notify({ events: order.slice(at, at + 500) })
              assert.strictEqual(status, 200)
              accepted += body.data.accepted
            }
            ends.push(yield* state)
          }
          assert.strictEqual(accepted, count - repeated)
          assert.strictEqual(new Set(ends).size, 1)
          // The same events in yet another order, on mail that is new.
          const copies = yield* Effect.forEach(mails, (_, n) => mailTo(`m${n}@copies.test`))
          const copied = new Map(mails.map((id, n) => [id, copies[n]]))
          const again = shuffled(events, 7).map((each) => ({
            ...each,
            id: `copy-${each.id}`,
            emailId: each.emailId && copied.get(each.emailId)
          }))
          for (let at = 0; at < again.length; at += 500) yield* notify({ events: again.slice(at, at + 500) })
          yield* sql`delete from emails where to_email like '%@replay.test'`
          yield* sql`update emails set to_email = replace(to_email, '@copies.test', '@replay.test')`
          // An address that bounced for good has one more event, the end of a subscription, only where there is a contact.
          assert.strictEqual(yield* state, ends[0])
        }),
      3_600_000
    )
  })
}

layer(wireWith(databases()[0]?.[1] ?? assert.fail("no database")), { timeout: "60 seconds" })(
  "Authentication of notifications",
  (it) => {
    const delivery = { id: "x", type: "delivery", emailId: randomUUID(), timestamp: "2026-11-20T15:00:00Z" }

    it.effect("a client with 60 wrong signatures in a minute is refused before its body is read; others are not", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 10, 20, 15))
        const post = (client: string, path: string, contentType = "application/json") =>
          send("POST", path, "{}", { [clientHeader]: client, authorization: "", "content-type": contentType })
        const paths = ["/webhooks/notifications", "/webhooks/incoming/payments"]
        for (let count = 0; count < 60; count++) {
          const contentType = count % 2 === 0 ? "application/json" : "message/rfc822"
          const refused = yield* post(`2001:db8::${count}`, "/webhooks/notifications", contentType)
          assert.deepStrictEqual([refused.status, refused.body.error.code], [403, "INVALID_SIGNATURE"])
        }
        for (const path of paths) {
          const over = yield* post("2001:db8::ffff", path)
          assert.deepStrictEqual([over.status, over.body.error.code], [429, "RATE_LIMIT_EXCEEDED"])
          assert.strictEqual(over.headers.get("retry-after"), "60")
          assert.notStrictEqual((yield* post("192.0.2.1", path)).status, 429)
        }
        const id = yield* mailTo("signed@example.com")
        const report = yield* event("delivery", id, { recipient: "signed@example.com" })
        assert.strictEqual((yield* notify(report)).status, 200)
      })
    )

    it.effect("a body without a signature is not read", () =>
      Effect.gen(function* () {
        const handler = yield* Wire
        let isRead = false
        const body = new ReadableStream(
          {
            pull: (controller) => {
              isRead = true
              controller.enqueue(new Uint8Array(1_000))
            }
          },
          { highWaterMark: 0 }
        )
        const headers = { "content-type": "message/rfc822" }
        const request = new Request("http://posthorn/webhooks/notifications", {
          ...{ method: "POST", body, headers },
          ...{ duplex: "half" }
        })
        const { status } = yield* Effect.promise(() => handler(request))
        assert.deepStrictEqual([status, isRead], [403, false])
      })
    )

    it.effect("a signature that is missing, forged, stale or of another body is refused, before anything is read", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 10, 20, 15))
        const seconds = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
        const code = Effect.fnUntraced(function* (...call: Parameters<typeof notify>) {
          const { status, body } = yield* notify(...call)
          return `${status} ${body.error?.code ?? "ok"}`
        })
        const refused = "403 INVALID_SIGNATURE"
        assert.strictEqual(yield* code(delivery, { signature: "" }), refused)
        assert.strictEqual(yield* code(delivery, { signature: "v1,AAAA" }), refused)
        assert.strictEqual(yield* code(delivery, { signature: "v1a,x v1,%%" }), refused)
        assert.strictEqual(yield* code(delivery, { secret: Redacted.make("another secret of some length") }), refused)
        assert.strictEqual(yield* code(delivery, { timestamp: seconds - 301 }), refused)
        assert.strictEqual(yield* code(delivery, { timestamp: seconds + 301 }), refused)
        assert.strictEqual(yield* code("{not json", { signature: "v1,AAAA" }), refused)
        assert.strictEqual(yield* code(delivery, { timestamp: seconds - 299 }), "200 ok")
        assert.strictEqual(
          yield* outcome("POST", "/webhooks/notifications", delivery, { authorization: "" }),
          "403 INVALID_SIGNATURE"
        )
      })
    )

    it.effect("a captured call is too old after five minutes, and a duplicate before", () =>
      Effect.gen(function* () {
        const id = yield* mailTo("captured@example.com")
        const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
        const call = { ...delivery, id: "captured", emailId: id }
        const again = () =>
          Effect.map(notify(call, { id: "msg-1", timestamp }), ({ status, body }) => [status, body.data])
        assert.deepStrictEqual(yield* again(), [200, tally({ accepted: 1 })])
        yield* TestClock.adjust("4 minutes")
        assert.deepStrictEqual(yield* again(), [200, tally({ duplicates: 1 })])
        yield* TestClock.adjust("2 minutes")
        assert.strictEqual((yield* again())[0], 403)
      })
    )

    it.effect("a faulty event refuses the whole call, with its position", () =>
      Effect.gen(function* () {
        const id = yield* mailTo("whole@example.com")
        const good = { ...delivery, id: "good", emailId: id }
        const faults = Effect.fnUntraced(function* (body: unknown) {
          const { status, body: answer } = yield* notify(body)
          return [
            status,
            ...(answer.error.errors ?? []).map((_: { field: string; code: string }) => `${_.field} ${_.code}`)
          ]
        })
        assert.deepStrictEqual(yield* faults({ events: [good, { ...good, type: "opened" }] }), [
          422,
          "events.1.type invalid_enum"
        ])
        assert.deepStrictEqual(yield* faults({ events: [good, { ...good, emailId: null }] }), [
          422,
          "events.1.emailId required"
        ])
        assert.deepStrictEqual(yield* faults({ ...good, emailId: "no id" }), [422, "emailId invalid_string"])
        assert.deepStrictEqual(yield* faults({ ...good, type: "inbound" }), [422, "mail required"])
        assert.deepStrictEqual(yield* faults({ events: [] }), [422, "events too_small"])
        assert.deepStrictEqual(yield* faults({ events: Array.from({ length: 1001 }, () => ({})) }), [
          422,
          "events too_big"
        ])
        assert.deepStrictEqual(yield* faults({ ...good, timestamp: "yesterday" }), [422, "timestamp invalid_string"])
        assert.strictEqual((yield* notify("{not json")).body.error.code, "INVALID_JSON")
        assert.strictEqual((yield* notify("[".repeat(200))).body.error.code, "INVALID_JSON")
        assert.strictEqual((yield* notify(`{"id":"\\u0000"}`)).status, 422)
        assert.strictEqual((yield* read(id)).status, "SENT")
      })
    )

    it.effect("bodies of other types and too large bodies are refused", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* notify("x=1", { type: "application/x-www-form-urlencoded" })).status, 415)
        assert.strictEqual((yield* notify("hello", { type: "text/plain" })).status, 415)
        assert.strictEqual((yield* notify(`{"x":"${"x".repeat(2 * 1024 * 1024)}"}`)).status, 413)
      })
    )

    it.effect("reports about mail of a disabled project still count", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const id = yield* mailTo("disabled@example.com")
        yield* sql`update projects set disabled_reason = 'MANUAL'`
        assert.deepStrictEqual(
          (yield* notify({ ...delivery, id: "disabled", emailId: id, timestamp: yield* now })).body.data,
          tally({ accepted: 1 })
        )
        yield* sql`update projects set disabled_reason = null`
      })
    )
  }
)

layer(wireWith(databases()[0]?.[1] ?? assert.fail("no database"), settings), { timeout: "60 seconds" })(
  "Receivers that are not configured",
  (it) => {
    it.effect("answer 503", () =>
      Effect.gen(function* () {
        const delivery = { id: "x", type: "delivery", emailId: randomUUID(), timestamp: "2026-11-20T15:00:00Z" }
        assert.strictEqual((yield* notify(delivery, { secret })).status, 503)
        assert.strictEqual((yield* notify("From: a@b.test\r\n\r\nx", { type: "message/rfc822" })).status, 503)
        const sns = { "x-amz-sns-message-type": "Notification" }
        assert.strictEqual(yield* outcome("POST", "/webhooks/notifications", {}, sns), "503 SERVICE_UNAVAILABLE")
      })
    )
  }
)

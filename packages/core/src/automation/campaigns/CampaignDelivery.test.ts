/** When the mails of a campaign leave: at local time, spread over hours, at a rate, by priority, and until it expires. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Array, DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Domains } from "../../mail/domains/Domains.ts"
import { DeliveryQueue } from "../../mail/sending/DeliveryQueue.ts"
import * as Shaping from "../../mail/shaping/Shaping.ts"
import * as MailRoutes from "../../mail/transports/MailRoutes.ts"
import * as RoutedClaims from "../../mail/transports/RoutedClaims.ts"
import { bucket } from "../../platform/Bucket.ts"
import { MailerError } from "../../platform/Mailer.ts"
import { databases } from "../../testing/Databases.ts"
import { Peer, receipt, Servers } from "../../testing/MailerMemory.ts"
import { sendDue } from "../../testing/SendDue.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { faultsIn } from "../workflows/WorkflowsFixture.ts"
import { countRows, sendingProject, work } from "./CampaignsFixture.ts"

const hour = 3_600_000
const setTime = (text: string) => TestClock.setTime(Date.parse(text))

/** The names of those whose mail left by the work of this moment. */
const leaving = Effect.gen(function* () {
  yield* work
  const before = (yield* Peer.use(({ accepted }) => accepted)).length
  yield* sendDue()
  yield* work
  const left = (yield* Peer.use(({ accepted }) => accepted)).slice(before)
  return left.flatMap(({ to }) => (to ?? []).map(({ address }) => address.replace("@example.com", ""))).sort()
})
const leavingAt = (instant: string) => Effect.andThen(setTime(instant), leaving)

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds", excludeTestServices: false })(
    `When mails of a campaign leave, on ${name}`,
    (it) => {
      const people = Effect.fnUntraced(function* (at: string, zones: { readonly [name: string]: string | null }) {
        yield* setTime(at)
        yield* Peer.use(({ answer }) => answer(() => Effect.succeed(receipt)))
        const made = yield* sendingProject(0)
        const add = (name: string, timezone: string | null) =>
          made.ask("POST", "/contacts", { email: `${name}@example.com`, timezone, subscribed: true })
        for (const [name, zone] of Object.entries(zones)) yield* add(name, zone)
        const mailTo = Effect.fnUntraced(function* (name: string) {
          const { body } = yield* made.ask("GET", `/emails?to=${name}@example.com`)
          return (yield* made.ask("GET", `/emails/${body.data[0].id}`)).body
        })
        const planned = Effect.fnUntraced(function* (delivery: object, scheduledFor: string, more: object = {}) {
          const id = yield* made.create({ delivery, ...more })
          const { body, status } = yield* made.ask("POST", `/campaigns/${id}/send`, { scheduledFor })
          assert.strictEqual(status, 200, JSON.stringify(body))
          return { id, startsAt: String(body.data.startsAt) }
        })
        return { ...made, add, mailTo, planned }
      })

      it.effect("at local time, each leaves at its minute, also through a pause, for the audience of the start", () =>
        Effect.gen(function* () {
          const { add, ask, mailTo, outcome, planned, project, read, stats } = yield* people("2026-12-22T12:00Z", {
            first: "Pacific/Kiritimati",
            tokyo: "Asia/Tokyo",
            berlin: "Europe/Berlin",
            angeles: "America/Los_Angeles",
            nowhere: null
          })
          const sql = yield* SqlClient.SqlClient
          yield* sql`update projects set timezone = 'Europe/Berlin' where id = ${project}`
          const { id, startsAt } = yield* planned({ localTime: {} }, "2026-12-24T08:00Z")
          assert.strictEqual(startsAt, "2026-12-23T19:00:00.000Z")
          const { body } = yield* ask("GET", "/activity/upcoming")
          const { metadata, timestamp } = body.activities[0]
          assert.deepStrictEqual(
            [timestamp, metadata.startsAt, metadata.scheduledFor],
            [startsAt, startsAt, "2026-12-24T08:00:00.000Z"]
          )
          assert.deepStrictEqual(yield* leavingAt("2026-12-23T18:59:59Z"), [])
          assert.strictEqual((yield* read(id)).status, "SCHEDULED")
          yield* add("fresh", "Asia/Tokyo")
          assert.deepStrictEqual(yield* leavingAt(startsAt), ["first"])
          yield* add("late", "America/Los_Angeles")
          assert.deepInclude(yield* read(id), { status: "SENDING", startsAt, scheduledFor: "2026-12-24T08:00:00.000Z" })
          assert.deepStrictEqual((yield* mailTo("tokyo")).hold, {
            reason: "CAMPAIGN_TIMING",
            until: "2026-12-24T00:00:00.000Z"
          })
          assert.deepStrictEqual(yield* leavingAt("2026-12-23T23:59:59.999Z"), [])
          yield* outcome("POST", `/campaigns/${id}/pause`)
          assert.deepStrictEqual((yield* mailTo("tokyo")).hold, { reason: "PAUSED", until: null })
          assert.deepStrictEqual(yield* leavingAt("2026-12-24T00:00Z"), [])
          yield* outcome("POST", `/campaigns/${id}/resume`)
          assert.deepStrictEqual(yield* leavingAt("2026-12-24T00:00Z"), ["fresh", "tokyo"])
          assert.deepStrictEqual(yield* leavingAt("2026-12-24T07:59:59.999Z"), [])
          assert.deepStrictEqual(yield* leavingAt("2026-12-24T08:00Z"), ["berlin", "nowhere"])
          assert.deepStrictEqual(yield* leavingAt("2026-12-24T16:59:59.999Z"), [])
          assert.deepStrictEqual(yield* leavingAt("2026-12-24T17:00Z"), ["angeles"])
          assert.deepInclude(yield* stats(id), { sentCount: 6, totalRecipients: 6, pendingCount: 0 })
          assert.strictEqual((yield* read(id)).status, "SENT")
          const held = (mail: { timeline: ReadonlyArray<{ type: string; detail?: string }> }) =>
            mail.timeline.flatMap(({ type, detail }) => (type === "held" ? [detail] : []))
          assert.deepStrictEqual(held(yield* mailTo("tokyo")), [
            "CAMPAIGN_TIMING until 2026-12-24T00:00:00.000Z",
            "PAUSED until 2026-12-24T00:00:00.000Z"
          ])
          assert.deepStrictEqual(held(yield* mailTo("first")), [])
        })
      )

      it.effect("at local time, a time that a clock change skips or repeats happens once", () =>
        Effect.gen(function* () {
          const zones = { berlin: "Europe/Berlin", newyork: "America/New_York", nowhere: null }
          const { planned } = yield* people("2026-03-27T00:00Z", zones)
          const spring = yield* planned({ localTime: { passed: "NEXT_DAY" } }, "2026-03-29T02:30Z")
          assert.strictEqual(spring.startsAt, "2026-03-28T12:30:00.000Z")
          assert.deepStrictEqual(yield* leavingAt("2026-03-29T00:59:59.999Z"), [])
          assert.deepStrictEqual(yield* leavingAt("2026-03-29T01:00Z"), ["berlin"])
          assert.deepStrictEqual(yield* leavingAt("2026-03-29T02:30Z"), ["nowhere"])
          assert.deepStrictEqual(yield* leavingAt("2026-03-29T06:30Z"), ["newyork"])
          yield* planned({ localTime: {} }, "2026-10-25T02:30Z")
          assert.deepStrictEqual(yield* leavingAt("2026-10-25T00:29:59.999Z"), [])
          assert.deepStrictEqual(yield* leavingAt("2026-10-25T00:30Z"), ["berlin"])
          assert.deepStrictEqual(yield* leavingAt("2026-10-25T01:30Z"), [])
          assert.deepStrictEqual(yield* leavingAt("2026-10-25T02:30Z"), ["nowhere"])
          assert.deepStrictEqual(yield* leavingAt("2026-10-25T06:30Z"), ["newyork"])
        })
      )

      it.effect("where the local time has passed, mail leaves at once or on the next day, out of quiet hours", () =>
        Effect.gen(function* () {
          const zones = { tokyo: "Asia/Tokyo", angeles: "America/Los_Angeles", nowhere: null }
          const { ask, mailTo, planned } = yield* people("2026-11-24T12:00Z", zones)
          yield* planned({ localTime: { passed: "SEND_NOW" } }, "2026-11-24T10:00Z")
          assert.deepStrictEqual(yield* leavingAt("2026-11-24T12:00Z"), ["nowhere", "tokyo"])
          assert.deepStrictEqual(yield* leavingAt("2026-11-24T18:00Z"), ["angeles"])
          yield* setTime("2026-11-25T12:00Z")
          yield* planned({ localTime: { passed: "NEXT_DAY" } }, "2026-11-25T10:00Z")
          assert.deepStrictEqual(yield* leavingAt("2026-11-25T12:00Z"), [])
          assert.deepStrictEqual(yield* leavingAt("2026-11-25T18:00Z"), ["angeles"])
          assert.deepStrictEqual(yield* leavingAt("2026-11-26T01:00Z"), ["tokyo"])
          assert.deepStrictEqual(yield* leavingAt("2026-11-26T10:00Z"), ["nowhere"])
          // The latest instant holds.
          yield* ask("PATCH", "/settings/sending", { quietHours: { from: "09:00", to: "11:00" } })
          yield* planned({ localTime: {} }, "2026-11-28T10:00Z")
          assert.deepStrictEqual(yield* leavingAt("2026-11-28T01:00Z"), [])
          assert.deepStrictEqual((yield* mailTo("tokyo")).hold, {
            reason: "QUIET_HOURS",
            until: "2026-11-28T02:00:00.000Z"
          })
          assert.deepStrictEqual(yield* leavingAt("2026-11-28T02:00Z"), ["tokyo"])
        })
      )

      it.effect(
        "spread over hours, every tenth of the time has a tenth of the mails, by the bucket of the contact",
        () =>
          Effect.gen(function* () {
            const start = Date.parse("2026-11-24T12:00Z")
            yield* TestClock.setTime(start)
            const sql = yield* SqlClient.SqlClient
            const { ask, create, read } = yield* sendingProject(2_000)
            const id = yield* create({ delivery: { spreadHours: 20 } })
            yield* ask("POST", `/campaigns/${id}/send`)
            yield* work
            const rows = yield* sql<{ readonly due: Date; readonly contact: string }>`
            select due_at as due, contact_id as contact from emails where campaign_id = ${id}::uuid order by id`
            assert.lengthOf(rows, 2_000)
            const tenths = Array.makeBy(10, () => 0)
            for (const { due } of rows) {
              const tenth = Math.floor((due.getTime() - start) / (2 * hour))
              tenths[tenth] = (tenths[tenth] ?? 0) + 1
            }
            for (const count of tenths) assert.approximately(count, 200, 80, tenths.join())
            for (const { due, contact } of rows.slice(0, 20)) {
              const wanted = start + 20 * hour * (yield* bucket(`spread:${id}`, contact))
              assert.approximately(due.getTime(), wanted, 1)
            }
            yield* TestClock.setTime(start + 2 * hour)
            assert.lengthOf(yield* leaving, tenths[0] ?? 0)
            yield* ask("POST", `/campaigns/${id}/cancel`)
            yield* work
            assert.deepInclude(yield* countRows(id), { sentCount: tenths[0], cancelledCount: 2_000 - (tenths[0] ?? 0) })
            assert.strictEqual((yield* read(id)).status, "CANCELLED")
          })
      )

      it.effect(
        "from the expiry on none begins: mail that was not tried is cancelled, mail that was tried goes on",
        () =>
          Effect.gen(function* () {
            const start = Date.parse("2026-11-24T12:00Z")
            yield* TestClock.setTime(start)
            const sql = yield* SqlClient.SqlClient
            const queue = yield* DeliveryQueue
            const { ask, create, project, read } = yield* sendingProject(40)
            const refused = new MailerError({
              reason: "refused",
              transport: "smtp1",
              code: 451,
              enhancedCode: "4.3.0",
              reply: "451 4.3.0 later"
            })
            const expiresAt = DateTime.formatIso(DateTime.makeUnsafe(start + hour))
            const id = yield* create({ delivery: { spreadHours: 2, expiresAt } })
            yield* ask("POST", `/campaigns/${id}/send`)
            yield* work
            // Due before the expiry: one is refused for now, the others of the first half hour leave.
            yield* sql`
            update emails set due_at = ${new Date(start)} where id = (
              select id from emails where campaign_id = ${id}::uuid order by due_at limit 1)`
            yield* Peer.use(({ answer }) => answer(() => Effect.fail(refused)))
            yield* sendDue()
            yield* Peer.use(({ answer }) => answer(() => Effect.succeed(receipt)))
            yield* sql`
            update emails set due_at = ${new Date(start + 3 * hour)}
            where campaign_id = ${id}::uuid and attempts = 1`
            // A worker holds one that it has not begun when the campaign expires.
            yield* TestClock.setTime(start + hour - 1)
            yield* sql`
            update emails set due_at = ${new Date(start + 2 * hour)} where campaign_id = ${id}::uuid and attempts = 0`
            yield* sql`
            update emails set due_at = ${new Date(start)} where id = (
              select id from emails where campaign_id = ${id}::uuid and attempts = 0 limit 1)`
            const worker = randomUUID()
            yield* queue.heartbeat(worker, Duration.minutes(1))
            const [mail] = yield* queue.claim(worker, 1, DateTime.makeUnsafe(start + hour - 1))
            assert.isDefined(mail)
            yield* TestClock.setTime(start + hour)
            if (mail !== undefined) {
              const { claim, id: email, mailing } = mail
              const mark = { projectId: project, id: email, claim, number: 1, mailing, frozen: null }
              const begun = yield* queue.mark(worker, [{ ...mark, at: DateTime.makeUnsafe(start + hour) }], [])
              assert.strictEqual(begun.size, 0)
            }
            yield* work
            assert.deepInclude(yield* countRows(id), { cancelledCount: 38, pendingCount: 2, sentCount: 0 })
            yield* queue.release(worker)
            yield* work
            assert.deepInclude(yield* countRows(id), { cancelledCount: 39, pendingCount: 1, sentCount: 0 })
            const rows = yield* sql`
            select distinct error_code as code from emails where campaign_id = ${id}::uuid and status = 'CANCELLED'`
            assert.deepStrictEqual(rows, [{ code: "campaign_expired" }])
            assert.strictEqual((yield* read(id)).status, "SENDING")
            yield* TestClock.setTime(start + 4 * hour)
            assert.lengthOf(yield* leaving, 1)
            assert.deepInclude(yield* read(id), { status: "SENT", sentCount: 1, cancelledCount: 39 })

            // What expires while it is paused, and before its mails are made, is cancelled all the same.
            const later = DateTime.formatIso(DateTime.makeUnsafe(start + 5 * hour))
            const paused = yield* create({ delivery: { expiresAt: later } })
            yield* ask("POST", `/campaigns/${paused}/send`)
            yield* ask("POST", `/campaigns/${paused}/pause`)
            yield* TestClock.setTime(start + 5 * hour)
            yield* work
            yield* work
            assert.deepInclude(yield* read(paused), { status: "SENT", paused: false, cancelledCount: 40 })
          })
      )

      it.effect("a rate holds for four workers, after a pause and under the other limits of the project", () =>
        Effect.gen(function* () {
          const start = Date.parse("2026-11-27T12:00Z")
          const sql = yield* SqlClient.SqlClient
          yield* Peer.use(({ answer }) => answer(() => Effect.succeed(receipt)))
          for (const limit of ["none", "rate", "warm-up", "both"]) {
            yield* TestClock.setTime(start)
            const { ask, create, project } = yield* sendingProject(60)
            if (limit === "rate" || limit === "both") {
              yield* sql`update projects set send_rate_per_second = 1000 where id = ${project}`
            }
            if (limit === "warm-up" || limit === "both") {
              const [domain] = yield* Effect.orDie(Domains.use((domains) => domains.list(project, project)))
              const plan = { preset: "CUSTOM", caps: [10_000] }
              assert.strictEqual((yield* ask("PUT", `/domains/${domain?.id}/warmup`, plan)).status, 200)
            }
            const id = yield* create({ delivery: { ratePerMinute: 300 } })
            yield* ask("POST", `/campaigns/${id}/send`)
            yield* work
            const sent = Effect.map(countRows(id), ({ sentCount }) => sentCount)
            const sentAfter = (millis: number) =>
              Effect.andThen(TestClock.setTime(start + millis), Effect.andThen(sendDue(4, 20), sent))
            // Five a second: a second's worth at once, then as time passes.
            assert.strictEqual(yield* sentAfter(0), 5, limit)
            assert.strictEqual(yield* sentAfter(199), 5, limit)
            assert.strictEqual(yield* sentAfter(200), 6, limit)
            for (let n = 1; n <= 10; n++) assert.strictEqual(yield* sentAfter(200 + 400 * n), 6 + 2 * n, limit)
            yield* ask("POST", `/campaigns/${id}/pause`)
            assert.strictEqual(yield* sentAfter(60_000), 26, limit)
            yield* ask("POST", `/campaigns/${id}/resume`)
            assert.strictEqual(yield* sentAfter(60_000), 31, limit)
            assert.strictEqual(yield* sentAfter(3_600_000), 36, limit)
            yield* ask("POST", `/campaigns/${id}/cancel`)
            yield* work
          }
        })
      )

      it.effect("campaigns share a claim by their priority, and none starves", () =>
        Effect.gen(function* () {
          yield* setTime("2026-11-24T12:00Z")
          const queue = yield* DeliveryQueue
          const sql = yield* SqlClient.SqlClient
          for (const rate of [null, 10_000]) {
            const { ask, create, project } = yield* sendingProject(200)
            yield* sql`update projects set send_rate_per_second = ${rate} where id = ${project}`
            const ids = yield* Effect.forEach([5, 3, 1], (priority) => create({ priority }))
            for (const id of ids) yield* ask("POST", `/campaigns/${id}/send`)
            yield* work
            const counts = new Map<string | null, number>()
            for (let n = 0; n < 4; n++) {
              const worker = randomUUID()
              yield* queue.heartbeat(worker, Duration.minutes(1))
              for (const { mailing } of yield* queue.claim(worker, 42, yield* DateTime.now)) {
                counts.set(mailing, (counts.get(mailing) ?? 0) + 1)
              }
            }
            const [high = 0, middle = 0, low = 0] = ids.map((id) => counts.get(id))
            // 16 : 4 : 1 of 168, where shares are rounded up.
            assert.approximately(high, 128, 4)
            assert.approximately(middle, 32, 4)
            assert.approximately(low, 8, 4)
            yield* sql`update emails set status = 'CANCELLED' where project_id = ${project}`
          }
        })
      )

      it.effect("a rate and the priorities hold for mail that takes transports of the project", () =>
        Effect.gen(function* () {
          const start = Date.parse("2026-11-27T12:00Z")
          yield* TestClock.setTime(start)
          const queue = yield* DeliveryQueue
          const servers = yield* Servers
          const routed = Effect.fnUntraced(function* (contacts: number) {
            const project = yield* sendingProject(contacts)
            const host = `smtp.${project.domain}.example`
            const relay = (yield* project.ask("POST", "/transports", { name: "relay", host, port: 587, pool: 20 })).body
            assert.isString(relay.id, JSON.stringify(relay))
            const route = { senderDomain: null, type: null, sourceType: null, transportIds: [relay.id] }
            const { status } = yield* project.ask("PUT", "/transports/routes", {
              routes: [{ ...route, fallbackToServer: false }]
            })
            assert.strictEqual(status, 200)
            return { ...project, host }
          })
          const rated = yield* routed(60)
          const id = yield* rated.create({ delivery: { ratePerMinute: 300 } })
          yield* rated.ask("POST", `/campaigns/${id}/send`)
          yield* work
          const sentAfter = (millis: number) =>
            Effect.andThen(
              TestClock.setTime(start + millis),
              Effect.andThen(
                sendDue(4, 20),
                Effect.map(servers.accepted(rated.host), ({ length }) => length)
              )
            )
          assert.strictEqual(yield* sentAfter(0), 5)
          assert.strictEqual(yield* sentAfter(199), 5)
          assert.strictEqual(yield* sentAfter(200), 6)
          for (let n = 1; n <= 5; n++) assert.strictEqual(yield* sentAfter(200 + 400 * n), 6 + 2 * n)
          assert.strictEqual(yield* sentAfter(3_600_000), 21)
          yield* rated.ask("POST", `/campaigns/${id}/cancel`)
          yield* work

          const shared = yield* routed(200)
          const ids = yield* Effect.forEach([5, 3, 1], (priority) => shared.create({ priority }))
          for (const each of ids) yield* shared.ask("POST", `/campaigns/${each}/send`)
          yield* work
          const counts = new Map<string | null, number>()
          for (let n = 0; n < 4; n++) {
            const worker = randomUUID()
            yield* queue.heartbeat(worker, Duration.minutes(1))
            const claims = RoutedClaims.make(queue, yield* MailRoutes.make, yield* Shaping.make(worker), worker)
            const mails = yield* claims.claim(100)
            assert.lengthOf(mails, 40)
            for (const { mail } of mails) counts.set(mail.mailing, (counts.get(mail.mailing) ?? 0) + 1)
          }
          const [high = 0, middle = 0, low = 0] = ids.map((each) => counts.get(each))
          // 16 : 4 : 1 of 160.
          assert.approximately(high, 122, 4)
          assert.approximately(middle, 30, 4)
          assert.approximately(low, 8, 4)
        })
      )

      it.effect("what cannot be is refused on save and on sending, and nothing is stored", () =>
        Effect.gen(function* () {
          yield* setTime("2026-11-24T12:00Z")
          const { ask, create, draft, read } = yield* sendingProject(1)
          const faults = (delivery: unknown, more: object = {}) =>
            Effect.map(ask("POST", "/campaigns", { ...draft, delivery, ...more }), ({ body, status }) => [
              status,
              ...faultsIn(body)
            ])
          assert.deepStrictEqual(
            yield* faults(
              { localTime: { passed: "NEVER" }, spreadHours: 169, ratePerMinute: 0, expiresAt: "soon" },
              { priority: 6 }
            ),
            [
              422,
              "delivery.localTime.passed invalid_enum",
              "delivery.spreadHours too_big",
              "delivery.ratePerMinute too_small",
              "delivery.expiresAt invalid_string",
              "priority too_big"
            ]
          )
          assert.deepStrictEqual(
            yield* faults(
              { localTime: {}, spreadHours: 2, expiresAt: "2026-11-24T12:00:00Z" },
              { subject: "{{#if a}}" }
            ),
            [422, "delivery.spreadHours custom", "delivery.expiresAt custom", "subject template_syntax"]
          )
          assert.strictEqual((yield* ask("GET", "/campaigns")).body.total, 0)

          const id = yield* create({ delivery: { localTime: {}, expiresAt: "2026-11-26T00:00:00Z" }, priority: 5 })
          const send = (body?: object) =>
            Effect.map(ask("POST", `/campaigns/${id}/send`, body), ({ body, status }) => [status, ...faultsIn(body)])
          assert.deepStrictEqual(yield* send(), [422, "scheduledFor required"])
          assert.deepStrictEqual(yield* send({ scheduledFor: "2026-11-26T00:00:00Z" }), [
            422,
            "delivery.expiresAt custom"
          ])
          assert.strictEqual((yield* read(id)).status, "DRAFT")
          assert.deepStrictEqual(yield* send({ scheduledFor: "2026-11-25T09:00:00Z" }), [200])
          assert.deepInclude(yield* read(id), { startsAt: "2026-11-24T19:00:00.000Z", priority: 5 })

          // A change of the delivery of a scheduled campaign changes when it starts.
          const put = (delivery: unknown) => ask("PUT", `/campaigns/${id}`, { ...draft, delivery })
          assert.deepStrictEqual(faultsIn((yield* put({ expiresAt: "2026-11-25T00:00:00Z" })).body), [
            "delivery.expiresAt custom"
          ])
          assert.deepInclude((yield* put({ spreadHours: 1 })).body.data, {
            startsAt: "2026-11-25T09:00:00.000Z",
            delivery: { localTime: null, spreadHours: 1, ratePerMinute: null, expiresAt: null },
            priority: 3
          })
          assert.deepInclude((yield* put({ localTime: null })).body.data, { delivery: null })
          assert.deepInclude((yield* put({ localTime: { passed: "NEXT_DAY" } })).body.data, {
            startsAt: "2026-11-24T19:00:00.000Z"
          })
          const copy = yield* ask("POST", `/campaigns/${id}/duplicate`)
          assert.deepInclude(copy.body.data, { status: "DRAFT", startsAt: null, scheduledFor: null })
          assert.deepStrictEqual(copy.body.data.delivery.localTime, { passed: "NEXT_DAY" })
          assert.deepInclude((yield* ask("POST", `/campaigns/${id}/cancel`)).body.data, { startsAt: null })
        })
      )
    }
  )
}

/** Mail for a later time: acceptance, changes, and the moment at which it is due. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ProjectStore } from "../../accounts/projects/ProjectStore.ts"
import { Settings } from "../../platform/Settings.ts"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { Peer } from "../../testing/MailerMemory.ts"
import { project, servicesOn } from "../../testing/Services.ts"
import { outcome, send, wireOver } from "../../testing/TestClient.ts"
import * as EmailSender from "./EmailSender.ts"
import * as ScheduledMail from "./ScheduledMail.ts"

const start = DateTime.makeUnsafe("2026-11-20T15:00:00.000Z")
const at = (minutes: number) => DateTime.formatIso(DateTime.add(start, { minutes }))

const begin = Effect.gen(function* () {
  yield* TestClock.setTime(start.epochMilliseconds)
  yield* send("POST", "/domains", { domain: "later.test" })
})

const post = (body: object) =>
  send("POST", "/v1/send", {
    from: "hi@later.test",
    subject: "Hi {{name}}",
    body: "<p>Hi</p>",
    to: "ada@example.com",
    ...body
  })

const idOf = (body: object) => Effect.map(post(body), ({ body }) => String(body.data.emails[0].email))

const email = (id: string) => Effect.map(send("GET", `/emails/${id}`), ({ body }) => body)

const change = (id: string, scheduledFor: string | null) =>
  Effect.map(send("PATCH", `/emails/${id}`, { scheduledFor }), ({ status }) => status)

const cancel = (id: string) => Effect.map(send("POST", `/emails/${id}/cancel`), ({ status }) => status)

const fault = Effect.fnUntraced(function* (body: object) {
  const answer = yield* post(body)
  return `${answer.status} ${answer.body.error?.errors?.map((_: { field: string; code: string }) => `${_.field} ${_.code}`)}`
})

for (const [name, database] of databases()) {
  const services = wireOver(servicesOn(database))
  const workers = Layer.mergeAll(EmailSender.layer, ScheduledMail.layer).pipe(
    Layer.provide(
      Layer.succeed(EmailSender.Options, { poll: Duration.millis(100), drain: Duration.seconds(5), exclusive: true })
    )
  )
  const becomes = (id: string, status: string) =>
    eventually(Effect.andThen(TestClock.adjust("100 millis"), email(id)), (found) => found.status === status)

  layer(services, { timeout: "60 seconds" })(`Scheduled mail on ${name}`, (it) => {
    it.effect("waits for its time with the texts of now, and leaves with that date", () =>
      Effect.gen(function* () {
        yield* begin
        const peer = yield* Peer
        const made = yield* send("POST", "/templates", {
          name: "Reminder",
          subject: "Dear {{name}}",
          body: "<p>First</p>",
          from: "hi@later.test",
          type: "TRANSACTIONAL"
        })
        const { body: answer } = yield* send("POST", "/v1/send", {
          to: "ada@example.com",
          template: made.body.id,
          data: { name: "Ada" },
          scheduledFor: at(30)
        })
        const [{ email: id, status, contact }] = answer.data.emails
        assert.strictEqual(status, "SCHEDULED")
        assert.deepInclude(yield* email(id), { status: "SCHEDULED", scheduledFor: at(30), sentAt: null })
        yield* send("PATCH", `/templates/${made.body.id}`, { body: "<p>Second</p>" })
        yield* send("PATCH", `/contacts/${contact.id}`, { data: { name: "Eve" } })
        yield* TestClock.setTime(DateTime.toEpochMillis(start) + Duration.toMillis("29 minutes"))
        yield* Layer.build(workers)
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual((yield* email(id)).status, "SCHEDULED")
        yield* TestClock.adjust("1 minute")
        yield* becomes(id, "SENT")
        const message = (yield* peer.accepted).find(({ emailId }) => emailId === id)
        assert.strictEqual(message?.subject, "Dear Ada")
        assert.include(message?.html ?? "", "<p>First</p>")
        assert.strictEqual(message && DateTime.formatIso(message.date), at(30))
        const { timeline } = yield* email(id)
        assert.deepStrictEqual(
          timeline.slice(0, 2).map((_: { type: string; detail?: string }) => [_.type, _.detail]),
          [
            ["accepted", undefined],
            ["scheduled", at(30)]
          ]
        )
      }).pipe(Effect.scoped)
    )

    it.effect("of now, the past or null leaves at once; what is no date, or a year away, is refused", () =>
      Effect.gen(function* () {
        yield* begin
        for (const scheduledFor of [at(0), at(-10), null, "2020-01-01"]) {
          const { body } = yield* post({ scheduledFor })
          assert.strictEqual(body.data.emails[0].status, "PENDING", `${scheduledFor}`)
        }
        const { body: zoned } = yield* post({ scheduledFor: "2026-11-20T17:00:00+01:00" })
        assert.strictEqual((yield* email(zoned.data.emails[0].email)).scheduledFor, at(60))
        const { body: local } = yield* post({ scheduledFor: "2026-11-20T16:00:00" })
        assert.strictEqual((yield* email(local.data.emails[0].email)).scheduledFor, at(60))
        const before = (yield* send("GET", "/emails?limit=1")).body.total
        for (const scheduledFor of ["tomorrow", "2026-02-30T10:00:00Z", "", 5]) {
          assert.match(yield* fault({ scheduledFor }), /^422 scheduledFor invalid_(?:string|type)$/, `${scheduledFor}`)
        }
        assert.strictEqual(yield* fault({ scheduledFor: at(366 * 24 * 60) }), "422 scheduledFor too_big")
        assert.strictEqual((yield* send("GET", "/emails?limit=1")).body.total, before)
      })
    )

    it.effect("is moved, sent now and cancelled; once queued it is not moved any more", () =>
      Effect.gen(function* () {
        yield* begin
        const id = yield* idOf({ scheduledFor: at(60) })
        assert.strictEqual(yield* change(id, at(120)), 200)
        assert.deepInclude(yield* email(id), { status: "SCHEDULED", scheduledFor: at(120) })
        assert.strictEqual(yield* outcome("PATCH", `/emails/${id}`, {}), "200 ok")
        assert.strictEqual((yield* email(id)).scheduledFor, at(120))
        assert.strictEqual(yield* change(id, "soon"), 422)
        assert.strictEqual(yield* change(id, null), 200)
        assert.deepInclude(yield* email(id), { status: "PENDING", scheduledFor: at(0) })
        const { timeline } = yield* email(id)
        assert.deepStrictEqual(
          timeline
            .filter(({ type }: { type: string }) => /scheduled/.test(type))
            .map((_: { detail: string }) => _.detail),
          [at(60), at(120), at(0)]
        )
        const refused = yield* send("PATCH", `/emails/${id}`, { scheduledFor: at(60) })
        assert.strictEqual(refused.status, 409)
        assert.deepInclude(refused.body.error.details, {
          reason: "not_scheduled",
          status: "PENDING",
          allowed: ["SCHEDULED"]
        })
        const other = yield* idOf({ scheduledFor: at(60) })
        assert.strictEqual(yield* cancel(other), 200)
        assert.strictEqual((yield* email(other)).status, "CANCELLED")
        assert.strictEqual(yield* change(other, at(60)), 409)
        assert.strictEqual(yield* change("019a0000-0000-7000-8000-00000000ffff", at(60)), 404)
      })
    )

    it.effect("is listed by time, counted, and among what is coming", () =>
      Effect.gen(function* () {
        yield* begin
        const sql = yield* SqlClient.SqlClient
        yield* sql`truncate emails, row_counts, row_count_deltas cascade`
        const late = yield* idOf({ scheduledFor: at(50) })
        const soon = yield* idOf({ scheduledFor: at(10), to: "bob@example.com" })
        const middle = yield* idOf({ scheduledFor: at(20) })
        yield* idOf({})
        const page = yield* send("GET", "/emails?status=SCHEDULED&sort=scheduledFor&limit=2")
        assert.deepStrictEqual(
          page.body.data.map(({ id }: { id: string }) => id),
          [soon, middle]
        )
        assert.strictEqual(page.body.total, 3)
        const rest = yield* send("GET", `/emails?status=SCHEDULED&sort=scheduledFor&limit=2&cursor=${page.body.cursor}`)
        assert.deepStrictEqual(
          rest.body.data.map(({ id }: { id: string }) => id),
          [late]
        )
        const newest = yield* send("GET", "/emails?status=SCHEDULED")
        assert.deepStrictEqual(newest.body.total, 3)
        const upcoming = Effect.map(send("GET", "/activity/upcoming"), ({ body }) =>
          body.activities.filter(({ type }: { type: string }) => type === "email.scheduled")
        )
        const [first] = yield* upcoming
        assert.deepInclude(first, { timestamp: at(10), contactEmail: "bob@example.com" })
        assert.deepStrictEqual(first.metadata, { emailId: soon, to: "bob@example.com", subject: "Hi", groupId: null })
        const group = yield* idOf({ scheduledFor: at(5), to: "gus@example.com", cc: "cy@example.com" })
        const members = yield* send("GET", `/emails?groupId=${group}`)
        const copy = members.body.data.find(({ id }: { id: string }) => id !== group)
        assert.deepStrictEqual(
          (yield* upcoming).slice(0, 3).map(({ metadata }: { metadata: object }) => metadata),
          [
            { emailId: group, to: "gus@example.com", subject: "Hi", groupId: group },
            { emailId: copy.id, to: "cy@example.com", subject: "Hi", groupId: group },
            first.metadata
          ]
        )
      })
    )

    it.effect("goes with its contact, and keeps its domain", () =>
      Effect.gen(function* () {
        yield* begin
        const { body } = yield* post({ to: "gone@example.com", scheduledFor: at(60) })
        const [{ email: id, contact }] = body.data.emails
        const { body: domains } = yield* send("GET", `/domains/project/${project}`)
        const domain = domains.find((_: { domain: string }) => _.domain === "later.test")
        const inUse = yield* send("DELETE", `/domains/${domain.id}`)
        assert.strictEqual(inUse.status, 409)
        assert.isAbove(inUse.body.error.details.pendingEmails, 0)
        assert.strictEqual((yield* send("DELETE", `/contacts/${contact.id}`)).status, 204)
        assert.deepInclude(yield* email(id), { status: "CANCELLED", contactId: null })
      })
    )

    it.effect("meets what has changed meanwhile when it is sent, and ends with an erasure at once", () =>
      Effect.gen(function* () {
        yield* begin
        const peer = yield* Peer
        const { body: template } = yield* send("POST", "/templates", {
          name: "News",
          subject: "News",
          body: "<p>News</p>",
          from: "hi@later.test",
          type: "MARKETING"
        })
        const suppressed = yield* idOf({ to: "blocked@example.com", scheduledFor: at(1) })
        const { body: left } = yield* send("POST", "/v1/send", {
          to: "left@example.com",
          template: template.id,
          subscribed: true,
          scheduledFor: at(1)
        })
        const [{ email: unsubscribed, contact }] = left.data.emails
        const { body: gone } = yield* post({ to: "erased@example.com", scheduledFor: at(1) })
        const [{ email: erased, contact: person }] = gone.data.emails
        yield* send("POST", "/suppressions", { email: "blocked@example.com" })
        yield* send("PATCH", `/contacts/${contact.id}`, { subscribed: false })
        assert.strictEqual((yield* send("POST", `/contacts/${person.id}/erase`)).status, 200)
        assert.deepInclude(yield* email(erased), { status: "CANCELLED", to: "", subject: "" })
        assert.strictEqual((yield* email(suppressed)).status, "SCHEDULED")
        assert.strictEqual((yield* email(unsubscribed)).status, "SCHEDULED")
        yield* Layer.build(workers)
        yield* TestClock.adjust("1 minute")
        yield* becomes(suppressed, "SUPPRESSED")
        yield* becomes(unsubscribed, "SUPPRESSED")
        const accepted = (yield* peer.accepted).map(({ emailId }) => emailId)
        for (const id of [suppressed, unsubscribed, erased]) assert.notInclude(accepted, id)
      }).pipe(Effect.scoped)
    )

    it.effect("waits while its project is disabled or its sender domain is not verified", () =>
      Effect.gen(function* () {
        yield* begin
        const peer = yield* Peer
        const sql = yield* SqlClient.SqlClient
        const disable = (reason: "MANUAL" | null) =>
          Effect.orDie(ProjectStore.use((store) => store.disable(project, reason, start)))
        /** Workers start at this time, so that none has to run in the minutes before. */
        const from = <A, E, R>(minutes: number, effect: Effect.Effect<A, E, R>) =>
          Effect.scoped(
            Effect.andThen(
              TestClock.setTime(DateTime.add(start, { minutes }).epochMilliseconds),
              Effect.andThen(Layer.build(workers), effect)
            )
          )
        const id = yield* idOf({ to: "waits@example.com", scheduledFor: at(1) })
        yield* disable("MANUAL")
        yield* from(2, Effect.andThen(becomes(id, "PENDING"), TestClock.adjust("5 seconds")))
        assert.deepInclude(yield* email(id), { status: "PENDING", attempts: 0 })
        yield* sql`update domains set verified = false where domain = 'later.test'`
        yield* disable(null)
        const tick = Effect.andThen(TestClock.adjust("100 millis"), email(id))
        const { error } = yield* from(
          3,
          eventually(tick, (found) => found.error !== null)
        )
        assert.deepInclude(error, { code: "sender_domain_unverified" })
        yield* sql`update domains set verified = true where domain = 'later.test'`
        yield* from(10, becomes(id, "SENT"))
        assert.strictEqual((yield* peer.accepted).filter(({ emailId }) => emailId === id).length, 1)
      })
    )

    it.effect("of many is limited for each project", () =>
      Effect.gen(function* () {
        yield* begin
        const sql = yield* SqlClient.SqlClient
        const { maxScheduledEmails } = yield* Settings
        yield* sql`
          insert into row_count_deltas (project_id, relation, key, count)
          values (${project}, 'emails', ${["SCHEDULED", "TRANSACTIONAL"]}::text[], ${maxScheduledEmails})
`
        assert.strictEqual(yield* fault({ scheduledFor: at(60) }), "422 scheduledFor too_big")
        assert.strictEqual((yield* post({})).status, 200)
        yield* sql`delete from row_count_deltas`
      })
    )

    it.effect("has one time, also in its copies, however many change it at once", () =>
      Effect.gen(function* () {
        yield* begin
        const sql = yield* SqlClient.SqlClient
        const id = yield* idOf({ cc: "carl@example.com", scheduledFor: at(60) })
        const times = Array.from({ length: 50 }, (_, n) => at(100 + n))
        const statuses = yield* Effect.forEach(times, (time) => change(id, time), { concurrency: "unbounded" })
        assert.deepStrictEqual([...new Set(statuses)], [200])
        const { scheduledFor, timeline } = yield* email(id)
        assert.include(times, scheduledFor)
        const changes = timeline.filter(({ type }: { type: string }) => type === "rescheduled")
        assert.sameMembers(
          changes.map(({ detail }: { detail: string }) => detail),
          times
        )
        const stored = yield* sql`
          select distinct scheduled_for = ${scheduledFor}::timestamptz and due_at = scheduled_for
                 and ladder_since = scheduled_for and (schedule -> -1 ->> 'to')::timestamptz = scheduled_for as "isSame"
          from emails where group_id = ${id}`
        assert.deepStrictEqual(stored, [{ isSame: true }])
      })
    )

    it.effect("is sent once, by one of many workers, whoever moves it at that moment", () =>
      Effect.gen(function* () {
        yield* begin
        const peer = yield* Peer
        const ids = yield* Effect.forEach(Array.from({ length: 100 }), () => idOf({ scheduledFor: at(1) }))
        yield* Layer.build(workers)
        yield* Layer.build(Layer.fresh(ScheduledMail.layer))
        yield* TestClock.adjust("59 seconds")
        const changes = [(id: string) => change(id, null), cancel, (id: string) => change(id, at(600))]
        const [, answers] = yield* Effect.all(
          [
            TestClock.adjust("1 second"),
            Effect.forEach(ids, (id, n) => changes[n % 3]?.(id) ?? Effect.succeed(0), { concurrency: 10 })
          ],
          { concurrency: 2 }
        )
        const sql = yield* SqlClient.SqlClient
        yield* eventually(
          Effect.andThen(
            TestClock.adjust("100 millis"),
            sql`select 1 from emails where id = any(${ids}::uuid[]) and status not in ('SENT', 'CANCELLED', 'SCHEDULED')`
          ),
          ({ length }) => length === 0
        )
        const ended = yield* Effect.forEach(ids, email)
        const accepted = (yield* peer.accepted).map(({ emailId }) => emailId)
        for (const [n, { id, scheduledFor, status }] of ended.entries()) {
          assert.strictEqual(accepted.filter((one) => one === id).length, status === "SENT" ? 1 : 0)
          const changed = ["SENT", "CANCELLED", "SCHEDULED"][n % 3]
          assert.include(["SENT", changed], status)
          if (n % 3 !== 0) assert.strictEqual(answers[n], status === changed ? 200 : 409)
          if (status === "SCHEDULED") assert.strictEqual(scheduledFor, at(600))
        }
      }).pipe(Effect.scoped)
    )
  })
}

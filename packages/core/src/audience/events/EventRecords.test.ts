import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as EventTotals from "../../events/EventTotals.ts"
import { JobId } from "../../platform/jobs/Job.ts"
import { JobQueue } from "../../platform/jobs/JobQueue.ts"
import * as JobRunner from "../../platform/jobs/JobRunner.ts"
import { addMember, browse, newProject, person } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { project, servicesOn } from "../../testing/Services.ts"
import { outcome, send, wire, wireOver } from "../../testing/TestClient.ts"
import * as EventDeletion from "./EventDeletion.ts"

const start = Date.UTC(2026, 10, 20, 12)

const track = (email: string, event: string, more: object = {}) =>
  Effect.map(send("POST", "/events/track", { email, event, ...more }), ({ status, body }) => {
    assert.strictEqual(status, 200)
    return body.data as { contact: string; event: string; timestamp: string }
  })

const get = (path: string) => Effect.map(send("GET", path), ({ body }) => body)

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(`Events by day on ${name}`, (it) => {
    it.effect("counts an event on every day of the zone, also after the totals are counted and contacts deleted", () =>
      Effect.gen(function* () {
        const { countFinished } = yield* EventTotals.make
        // In Berlin the 29th has 23 hours, from 23:00 UTC to 22:00 UTC.
        for (const time of ["2026-03-28T22:59:59Z", "2026-03-29T05:14:00Z", "2026-03-29T21:59:59Z"]) {
          yield* TestClock.setTime(Date.parse(time))
          yield* track("days@example.com", "by / day")
          yield* track("days@example.com", "other")
        }
        const path = `/events/${encodeURIComponent("by / day")}/timeseries`
        const berlin = `${path}?startDate=2026-03-28&endDate=2026-03-30&timezone=Europe/Berlin`
        const expected = [
          { date: "2026-03-28", count: 1 },
          { date: "2026-03-29", count: 2 },
          { date: "2026-03-30", count: 0 }
        ]
        assert.deepStrictEqual(yield* get(berlin), expected)
        yield* TestClock.setTime(Date.parse("2026-03-29T22:30:00Z"))
        yield* countFinished
        const { data } = yield* get("/contacts?search=days@")
        yield* send("DELETE", `/contacts/${data[0].id}`)
        assert.deepStrictEqual(yield* get(berlin), expected)
        // Without dates: the last 30 days in the zone of the project, which is UTC.
        const month = yield* get(path)
        assert.deepStrictEqual([month.length, month[0].date], [30, "2026-02-28"])
        assert.deepStrictEqual(month.slice(-2), [
          { date: "2026-03-28", count: 1 },
          { date: "2026-03-29", count: 2 }
        ])
        assert.deepStrictEqual(
          (yield* get("/events/unheard/timeseries")).map(({ count }: { count: number }) => count),
          Array(30).fill(0)
        )
        for (const query of [
          "startDate=2025-01-01",
          "timezone=Mars",
          "startDate=soon",
          "startDate=2026-04-01&endDate=2026-03-01"
        ]) {
          assert.strictEqual(yield* outcome("GET", `${path}?${query}`), "400 BAD_REQUEST", query)
        }
      })
    )

    it.effect(
      "the series of an event is for every member and keys with the scope, and only about the own project",
      () =>
        Effect.gen(function* () {
          yield* track("own@example.com", "mine")
          const path = "/events/mine/timeseries"
          const keyWith = (scope: string) =>
            Effect.map(send("POST", "/api-keys", { name: scope, scopes: [scope] }), ({ body }) => ({
              authorization: `Bearer ${body.key}`
            }))
          assert.strictEqual(yield* outcome("GET", path, undefined, yield* keyWith("events:read")), "200 ok")
          assert.strictEqual(yield* outcome("GET", path, undefined, yield* keyWith("analytics:read")), "403 FORBIDDEN")
          const owner = yield* person("owner")
          const member = yield* person("member")
          const stranger = yield* person("stranger")
          const { id } = yield* newProject(owner.cookie)
          yield* addMember(owner.cookie, id, member, "MEMBER")
          const asked = (cookie: string) => browse(cookie, "GET", path, undefined, { "x-project-id": id })
          for (const { cookie } of [owner, member]) {
            const { status, body } = yield* asked(cookie)
            assert.deepStrictEqual([status, body.length, body.at(-1).count], [200, 30, 0])
          }
          assert.strictEqual((yield* asked(stranger.cookie)).body.error.code, "PROJECT_ACCESS_DENIED")
        })
    )
  })
}

layer(wire, { timeout: "60 seconds" })("Events", (it) => {
  it.effect("a tracked event is listed with its contact and data", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { contact, event } = yield* track("ada@example.com", "signed_up", { data: { plan: "pro" } })
      assert.deepStrictEqual(yield* get("/events?eventName=signed_up"), {
        data: [
          {
            id: event,
            name: "signed_up",
            projectId: project,
            contactId: contact,
            contact: { id: contact, email: "ada@example.com" },
            emailId: null,
            source: "tracked",
            data: { plan: "pro" },
            createdAt: "2026-11-20T12:00:00.000Z",
            occurredAt: "2026-11-20T12:00:00.000Z"
          }
        ],
        hasMore: false,
        total: 1
      })
    })
  )

  it.effect("lists tracked events, service events or all, by contact and date, in pages", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start + 86_400_000)
      const { contact } = yield* track("bob@example.com", "a")
      yield* TestClock.adjust("1 hour")
      yield* track("bob@example.com", "b", { subscribed: false })
      const names = (query: string) =>
        Effect.map(get(`/events?contactId=${contact}${query}`), ({ data }) =>
          data.map(({ name }: { name: string }) => name)
        )
      assert.deepStrictEqual(yield* names(""), ["b", "a"])
      assert.deepStrictEqual(yield* names("&source=system"), ["contact.unsubscribed"])
      assert.sameMembers(yield* names("&source=all"), ["a", "b", "contact.unsubscribed"])
      assert.deepStrictEqual(yield* names("&endDate=2026-11-21T12:30:00Z"), ["a"])
      assert.deepStrictEqual(yield* names("&startDate=2026-11-22"), [])
      const first = yield* get(`/events?contactId=${contact}&limit=1`)
      assert.deepInclude(first, { hasMore: true, total: 2 })
      const second = yield* get(`/events?contactId=${contact}&limit=1&cursor=${first.cursor}`)
      assert.deepStrictEqual([second.data[0].name, second.hasMore, second.total], ["a", false, 0])
      assert.strictEqual(yield* outcome("GET", `/events?cursor=${first.cursor}`), "400 INVALID_CURSOR")
      assert.strictEqual(yield* outcome("GET", "/events?source=mine"), "400 BAD_REQUEST")
      const ofContact = yield* get(`/events/contact/${contact}`)
      assert.strictEqual(ofContact.total, 3)
      assert.strictEqual((yield* get(`/events/contact/${contact}?source=tracked`)).total, 2)
    })
  )

  it.effect("for an unknown contact, the list is empty, and the contact endpoint answers 404", () =>
    Effect.gen(function* () {
      const unknown = "019a0000-0000-7000-8000-00000000dead"
      assert.deepStrictEqual((yield* get(`/events?contactId=${unknown}`)).data, [])
      assert.strictEqual(yield* outcome("GET", `/events/contact/${unknown}`), "404 CONTACT_NOT_FOUND")
      assert.strictEqual(yield* outcome("GET", "/events/contact/nobody"), "404 CONTACT_NOT_FOUND")
    })
  )

  it.effect("counts events by name, by default over the last 30 days", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      yield* track("old@example.com", "counted")
      yield* TestClock.setTime(Date.UTC(2026, 2, 1))
      yield* track("one@example.com", "counted")
      yield* track("one@example.com", "counted")
      yield* track("two@example.com", "counted")
      const counted = (query: string) =>
        Effect.map(get(`/events/stats${query}`), (stats) =>
          stats.find(({ name }: { name: string }) => name === "counted")
        )
      const lastSeenAt = "2026-03-01T00:00:00.000Z"
      assert.deepStrictEqual(yield* counted(""), { name: "counted", count: 3, uniqueContacts: 2, lastSeenAt })
      assert.strictEqual((yield* counted("?startDate=2025-12-31")).count, 4)
      assert.strictEqual((yield* counted("?endDate=2026-01-01&source=tracked")).count, 1)
      assert.isUndefined(yield* counted("?source=system"))
    })
  )

  it.effect("lists names, most frequent first, and searches them", () =>
    Effect.gen(function* () {
      for (const event of ["Order placed", "order_shipped", "order_shipped"]) yield* track("n@example.com", event)
      assert.deepStrictEqual(yield* get("/events/names?search=ORDER"), {
        eventNames: ["order_shipped", "Order placed"]
      })
      assert.deepStrictEqual(yield* get("/events/names?search=order&source=system"), { eventNames: [] })
      assert.deepStrictEqual(yield* get("/events/names?search=%25"), { eventNames: [] })
    })
  )

  it.effect("lists the uses of a name, also of an unknown one", () =>
    Effect.gen(function* () {
      yield* track("u@example.com", "used / once")
      const none = { usedInSegments: [], usedInCampaigns: [], usedInWorkflows: [] }
      assert.deepStrictEqual(yield* get(`/events/${encodeURIComponent("used / once")}/usage`), {
        eventName: "used / once",
        ...none,
        totalCount: 1,
        uniqueContacts: 1,
        canDelete: true
      })
      assert.deepInclude(yield* get("/events/unheard/usage"), { totalCount: 0, uniqueContacts: 0, canDelete: true })
      assert.deepInclude(yield* get("/events/email.open/usage"), { canDelete: false })
    })
  )

  it.effect("a name that a segment condition uses cannot be deleted", () =>
    Effect.gen(function* () {
      yield* track("s@example.com", "purchase")
      const condition = { groups: [{ filters: [{ field: "event.purchase", operator: "triggered" }] }] }
      const { body: segment } = yield* send("POST", "/segments", { name: "Buyers", condition })
      const usedInSegments = [{ id: segment.id, name: "Buyers" }]
      assert.deepInclude(yield* get("/events/purchase/usage"), { usedInSegments, canDelete: false })
      const refused = yield* send("DELETE", "/events/purchase")
      assert.deepStrictEqual([refused.status, refused.body.error.code], [409, "RESOURCE_IN_USE"])
      assert.deepStrictEqual(refused.body.error.details.segments, usedInSegments)
      yield* send("DELETE", `/segments/${segment.id}`)
      assert.deepStrictEqual((yield* send("DELETE", "/events/purchase")).body, { deletedCount: 1 })
    })
  )

  it.effect("deletes events by name, but not service events; the name can be tracked again", () =>
    Effect.gen(function* () {
      yield* track("d@example.com", "gone")
      yield* track("e@example.com", "gone")
      assert.deepStrictEqual((yield* send("DELETE", "/events/gone")).body, { deletedCount: 2 })
      assert.deepStrictEqual((yield* send("DELETE", "/events/gone")).body, { deletedCount: 0 })
      const { status, body } = yield* send("DELETE", "/events/contact.subscribed")
      assert.deepStrictEqual(
        [status, body.error.errors[0].field, body.error.errors[0].code],
        [422, "eventName", "reserved_event"]
      )
      yield* TestClock.adjust("1 millis")
      yield* track("d@example.com", "gone")
      assert.strictEqual((yield* get("/events?eventName=gone")).total, 1)
    })
  )

  it.effect.each([
    "campaign.sent",
    "campaign.cancelled",
    "workflow.execution.completed",
    "workflow.execution.failed",
    "workflow.execution.converted",
    "domain.verified",
    "domain.unverified",
    "domain.health_changed",
    "deliverability.provider_slowed",
    "deliverability.provider_recovered",
    "domain.warmup_paused",
    "domain.warmup_completed",
    "project.disabled",
    "project.enabled"
  ])("deletion keeps service events, even if callers track the same name: %s", (name) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into events (id, project_id, name, source, created_at)
        values (gen_random_uuid(), ${project}, ${name}, 'system', now())`
      const refused = yield* send("DELETE", `/events/${name}`)
      assert.deepStrictEqual([refused.status, refused.body.error.errors[0].code], [422, "reserved_event"])
      assert.deepInclude(yield* get(`/events/${name}/usage`), { totalCount: 1, canDelete: false })
      yield* track("w@example.com", name)
      yield* TestClock.adjust("1 millis")
      assert.deepInclude(yield* get(`/events/${name}/usage`), { totalCount: 2, canDelete: true })
      assert.deepStrictEqual((yield* send("DELETE", `/events/${name}`)).body, { deletedCount: 1 })
      assert.deepStrictEqual(yield* sql`select source from events where name = ${name}`, [{ source: "system" }])
    })
  )

  it.effect("many events disappear at once, and a job deletes their rows", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const count = 2 * EventDeletion.batchSize + 5
      const { contact } = yield* track("flooded@example.com", "before")
      yield* sql`
        insert into events (id, project_id, contact_id, name, source, created_at)
        select gen_random_uuid(), ${project}::uuid, ${contact}::uuid, 'flood', 'tracked', ${DateTime.toDate(yield* DateTime.now)}
        from generate_series(1, ${count}::int)`
      assert.deepStrictEqual((yield* send("DELETE", "/events/flood")).body, { deletedCount: count })
      assert.strictEqual((yield* get("/events?eventName=flood")).total, 0)
      assert.strictEqual((yield* get("/events/flood/usage")).totalCount, 0)
      const condition = { groups: [{ filters: [{ field: "event.flood", operator: "triggered" }] }] }
      const { body: segment } = yield* send("POST", "/segments", { name: "Flooded", condition })
      assert.strictEqual(segment.memberCount, 0)
      yield* TestClock.adjust("1 second")
      yield* track("f@example.com", "flood")
      const rows = sql`select from events where name = 'flood'`
      assert.isAbove((yield* rows).length, EventDeletion.batchSize)
      yield* Effect.scoped(
        Effect.andThen(
          Layer.build(JobRunner.layer([EventDeletion.job])),
          eventually(sql`select from event_retractions`, (left) => left.length === 0)
        )
      )
      assert.strictEqual((yield* rows).length, 1)
      assert.strictEqual((yield* get("/events?eventName=flood")).total, 1)
      const [job] = yield* sql`select id from jobs where name = 'event-deletion'`
      const queue = yield* JobQueue
      const record = yield* queue.find(project, [EventDeletion.job], JobId.make(String(job?.["id"])))
      assert.deepInclude(Option.getOrThrow(record), {
        state: "completed",
        result: { deleted: count - EventDeletion.batchSize }
      })
    })
  )

  it.effect("the endpoint for servers accepts an Idempotency-Key as /v1/track does, but no public key", () =>
    Effect.gen(function* () {
      const event = { email: "once@example.com", event: "once" }
      const headers = { "idempotency-key": "events-track-1" }
      assert.strictEqual(yield* outcome("POST", "/events/track", event, headers), "200 ok")
      assert.strictEqual(yield* outcome("POST", "/events/track", event, headers), "409 IDEMPOTENCY_KEY_REUSED")
      assert.strictEqual(yield* outcome("POST", "/events/track", { event: "x" }), "422 VALIDATION_ERROR")
      const withPublicKey = { authorization: `Bearer pk_${"a".repeat(43)}` }
      assert.strictEqual(yield* outcome("POST", "/events/track", event, withPublicKey), "401 INVALID_API_KEY")
    })
  )
})

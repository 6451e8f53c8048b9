import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Wakeups } from "../../platform/Wakeups.ts"
import { publicKey } from "../../testing/Services.ts"
import { send, wire } from "../../testing/TestClient.ts"

const track = (body: unknown) => send("POST", "/v1/track", body, { authorization: `Bearer ${publicKey}` })

const recorded = (email: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
      select events.id, name, source, events.data, events.created_at as at,
             exists (select from event_outbox as waiting where waiting.event_id = events.id) as waits
      from events join contacts on contacts.id = contact_id where email = ${email} order by events.id`
  )

layer(wire, { timeout: "60 seconds" })("POST /v1/track", (it) => {
  it.effect("records the event with its contact and data, with one-shots unwrapped and reserved keys removed", () =>
    Effect.gen(function* () {
      const now = Date.UTC(2026, 10, 20, 15, 4, 5, 123)
      yield* TestClock.setTime(now)
      const data = { plan: "pro", code: { value: "8812", persistent: false }, id: "7", gone: null, empty: "" }
      const { body } = yield* track({ email: "one@example.com", event: "ordered", data })
      const stored = { plan: "pro", code: "8812", gone: null, empty: "" }
      assert.deepStrictEqual(yield* recorded("one@example.com"), [
        { id: body.data.event, name: "ordered", source: "tracked", data: stored, at: new Date(now), waits: true }
      ])
      const contact = yield* send("GET", `/contacts/${body.data.contact}`)
      assert.deepStrictEqual(contact.body.data, { plan: "pro" })
    })
  )

  it.effect("stores no data if none is given, and records a subscription change as a separate event", () =>
    Effect.gen(function* () {
      yield* track({ email: "two@example.com", event: "a" })
      yield* track({ email: "two@example.com", event: "b", subscribed: true })
      yield* track({ email: "two@example.com", event: "c", subscribed: false })
      yield* track({ email: "two@example.com", event: "d", subscribed: true, preserveExistingSubscription: true })
      const rows = yield* recorded("two@example.com")
      assert.sameDeepMembers(
        rows.map(({ name, source, data }) => [name, source, data]),
        [
          ["a", "tracked", null],
          ["b", "tracked", null],
          ["c", "tracked", null],
          ["contact.unsubscribed", "system", { reason: "track" }],
          ["d", "tracked", null]
        ]
      )
    })
  )

  it.effect("records when the event happened, and nothing reacts to one of more than a day ago", () =>
    Effect.gen(function* () {
      const now = Date.UTC(2026, 10, 20, 15)
      yield* TestClock.setTime(now)
      const email = "then@example.com"
      const at = (millis: number) => new Date(now + millis).toISOString()
      const minute = 60_000
      const day = 24 * 60 * minute
      for (const millis of [0, -day, -day - 1, 4 * minute, -3000 * day]) {
        const { status, body } = yield* track({ email, event: `at ${millis}`, occurredAt: at(millis) })
        assert.deepStrictEqual([status, body.data.timestamp], [200, at(0)])
      }
      yield* track({ email, event: "now", occurredAt: null })
      const waiting = (yield* recorded(email)).filter(({ waits }) => waits === true)
      assert.sameMembers(
        waiting.map(({ name }) => name),
        ["at 0", `at ${-day}`, `at ${4 * minute}`, "now"]
      )
      const occurred = Effect.fnUntraced(function* (event: string) {
        const { body } = yield* send("GET", `/events?eventName=${encodeURIComponent(event)}`)
        return [body.data[0].createdAt, body.data[0].occurredAt]
      })
      assert.deepStrictEqual(yield* occurred(`at ${-3000 * day}`), [at(0), at(-3000 * day)])
      // Nothing happens after it is recorded.
      assert.deepStrictEqual(yield* occurred(`at ${4 * minute}`), [at(0), at(0)])
      assert.deepStrictEqual(yield* occurred("now"), [at(0), at(0)])
      for (const occurredAt of [
        at(5 * minute + 1),
        at(-3660 * day),
        "soon",
        "2026-02-30",
        "20 Nov 2026",
        5,
        "x".repeat(100)
      ]) {
        const { status, body } = yield* track({ email, event: "refused", occurredAt })
        assert.deepStrictEqual([status, body.error.errors[0].field], [422, "occurredAt"])
      }
      assert.strictEqual((yield* recorded(email)).length, 6)
    })
  )

  it.effect("lists and counts events of a name by the time at which they happened", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 10, 20, 15))
      for (const day of ["2025-03-02", "2026-11-20", "2025-03-03", "2025-03-01"]) {
        const data = { day }
        yield* track({ email: "days@example.com", event: "dated", occurredAt: `${day}T12:00:00Z`, data })
      }
      const days = (query: string) =>
        Effect.map(send("GET", `/events?eventName=dated${query}`), ({ body }) => ({
          days: body.data.map((event: { data: { day: string } }) => event.data.day),
          total: body.total,
          cursor: body.cursor
        }))
      const first = yield* days("&limit=2")
      assert.deepInclude(first, { days: ["2026-11-20", "2025-03-03"], total: 4 })
      assert.deepInclude(yield* days(`&limit=2&cursor=${first.cursor}`), { days: ["2025-03-02", "2025-03-01"] })
      assert.deepInclude(yield* days("&startDate=2025-03-02&endDate=2025-03-03"), {
        days: ["2025-03-03", "2025-03-02"],
        total: 2
      })
      const { body: stats } = yield* send("GET", "/events/stats?startDate=2025-03-01&endDate=2025-03-02")
      assert.deepInclude(stats, {
        name: "dated",
        count: 2,
        uniqueContacts: 1,
        lastSeenAt: "2025-03-02T12:00:00.000Z"
      })
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual((yield* send("DELETE", "/events/dated")).body, { deletedCount: 4 })
    })
  )

  it.effect("changes nothing and records no event if the contact would become too large", () =>
    Effect.gen(function* () {
      const half = "x".repeat(40_000)
      yield* track({ email: "big@example.com", event: "first", data: { a: half } })
      const { status, body } = yield* track({ email: "big@example.com", event: "second", data: { b: half } })
      assert.deepStrictEqual([status, body.error.code], [422, "VALIDATION_ERROR"])
      assert.strictEqual((yield* recorded("big@example.com")).length, 1)
    })
  )

  it.effect("wakes the dispatcher of its process, as does a subscription change; a read does not", () =>
    Effect.gen(function* () {
      const { events: wakeup } = yield* Wakeups
      // A pending wake-up is taken at once, without waiting before the poll.
      const woken = yield* wakeup.listen
      const isWoken = Effect.raceFirst(Effect.as(woken, true), Effect.as(Effect.yieldNow, false))
      const { body } = yield* track({ email: "awake@example.com", event: "hello" })
      assert.isTrue(yield* isWoken)
      const contact = `/contacts/${body.data.contact}`
      yield* send("PATCH", contact, { subscribed: false })
      assert.isTrue(yield* isWoken)
      yield* send("GET", contact)
      assert.isFalse(yield* isWoken)
    })
  )
})

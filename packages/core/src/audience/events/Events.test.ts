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
      select events.id, name, source, events.data, events.created_at as at, dispatched_at as dispatched
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
        { id: body.data.event, name: "ordered", source: "tracked", data: stored, at: new Date(now), dispatched: null }
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

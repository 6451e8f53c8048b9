import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { pglite } from "../../testing/Databases.ts"
import { key, publicKey, servicesOn, settings } from "../../testing/Services.ts"
import { clientHeader, send, wire, wireOver } from "../../testing/TestClient.ts"

const wrongKey = (client: string, authorization = `Bearer sk_${"b".repeat(43)}`) =>
  send("GET", "/contacts", undefined, { [clientHeader]: client, authorization })

layer(wire, { timeout: "60 seconds" })("Wrong keys", (it) => {
  it.effect("get 429 after 60 in a minute from one client; a right key never does", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 10, 20, 15))
      const kinds = [`Bearer sk_${"b".repeat(43)}`, "Bearer nonsense", `Bearer ${publicKey}`]
      for (let count = 0; count < 60; count++) {
        const { status } = yield* wrongKey(`2001:db8::${count.toString(16)}`, kinds[count % 3])
        assert.strictEqual(status, 401, `${count}`)
      }
      const over = yield* wrongKey("2001:db8::ffff")
      assert.deepStrictEqual([over.status, over.body.error.code], [429, "RATE_LIMIT_EXCEEDED"])
      assert.deepStrictEqual(
        [over.headers.get("retry-after"), over.body.error.details],
        ["60", { limit: 60, retryAfter: 60 }]
      )
      const track = yield* send(
        "POST",
        "/v1/track",
        {},
        { [clientHeader]: "2001:db8::1", authorization: "Bearer pk_x" }
      )
      assert.strictEqual(track.status, 429)
      const right = yield* wrongKey("2001:db8::1", `Bearer ${key}`)
      assert.deepStrictEqual([right.status, right.headers.get("ratelimit-remaining")], [200, "999"])
      assert.strictEqual((yield* wrongKey("2001:db8:0:1::1")).status, 401)
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual((yield* wrongKey("2001:db8::1")).status, 401)
    })
  )
})

const unlimited = wireOver(servicesOn(pglite, { ...settings, rateLimitPerMinute: 0 }))

layer(unlimited, { timeout: "60 seconds" })("Wrong keys without a rate limit", (it) => {
  it.effect("are not counted", () =>
    Effect.gen(function* () {
      for (let count = 0; count < 70; count++) assert.strictEqual((yield* wrongKey("192.0.2.1")).status, 401)
    })
  )
})

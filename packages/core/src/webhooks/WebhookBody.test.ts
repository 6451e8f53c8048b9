import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration } from "effect"
import fc from "fast-check"
import { maxBodyBytes, payloadOf, webhookBody } from "./WebhookBody.ts"
import { retryAfter, waitAfterRung } from "./WebhookLadder.ts"

const event = { type: "t", project: "p", at: "now", eventId: "e", contactId: null, contactEmail: null }
const bytes = (text: string) => new TextEncoder().encode(text).length

describe("The body of a webhook", () => {
  it("has event and contact before the payload, and the name of a tracked event", () => {
    assert.strictEqual(
      webhookBody({ ...event, payload: payloadOf({ source: "tracked", name: "bought", data: { price: 9 } }) }),
      `{"type":"t","timestamp":"now","projectId":"p","data":{"eventId":"e","contactId":null,"contactEmail":null,"name":"bought","data":{"price":9}}}`
    )
    assert.deepStrictEqual(payloadOf({ source: "system", name: "email.open", data: null }), {})
  })

  it("has at most 256 KB: the longest texts are cut as little as possible, and `truncated` is set", () => {
    const payload = {
      text: "é".repeat(200_000),
      html: "€".repeat(200_000),
      list: ["x".repeat(10), { deep: "y" }],
      n: 1
    }
    const text = webhookBody({ ...event, payload })
    assert.isAtMost(bytes(text), maxBodyBytes)
    assert.isAbove(bytes(text), maxBodyBytes - 10)
    const { truncated, data } = JSON.parse(text)
    assert.isTrue(truncated)
    assert.deepInclude(data, { eventId: "e", list: payload.list, n: 1 })
    assert.strictEqual(data.text.length, data.html.length)
  })

  it("leaves out the payload if cutting texts is not enough", () => {
    const text = webhookBody({ ...event, payload: { numbers: Array.from({ length: 200_000 }, () => 1) } })
    assert.deepStrictEqual(JSON.parse(text).data, { eventId: "e", contactId: null, contactEmail: null })
  })

  it("is valid JSON within the limit for any payload", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (payload, times) => {
        const long = Object.fromEntries(
          Object.entries(payload).map(([key, value]) => [
            key,
            times === 3 ? `${JSON.stringify(value)}😀`.repeat(60_000) : null
          ])
        )
        const text = webhookBody({ ...event, payload: long })
        assert.isAtMost(bytes(text), maxBodyBytes)
        assert.isTrue(Object.values(JSON.parse(text).data).every((value) => !String(value).endsWith("\uD83D")))
      }),
      { numRuns: 5 }
    )
  })
})

describe("The ladder of a webhook", () => {
  it("has seven waits with 10 % jitter", () => {
    const minutes = (random: number) =>
      Array.from({ length: 8 }, (_, rung) => {
        const pause = waitAfterRung(rung, random)
        return pause && Math.round(Duration.toSeconds(pause) * 10) / 10
      })
    assert.deepStrictEqual(minutes(0.5), [5, 300, 1800, 7200, 18_000, 36_000, 50_400, undefined])
    assert.deepStrictEqual(minutes(0), [4.5, 270, 1620, 6480, 16_200, 32_400, 45_360, undefined])
  })

  it("parses Retry-After as seconds or as a date only", () => {
    const now = DateTime.makeUnsafe("2026-03-01T10:00:00Z")
    const read = (header?: string) => {
      const found = retryAfter(header, now)
      return found && Duration.toSeconds(found)
    }
    assert.strictEqual(read("30"), 30)
    assert.strictEqual(read("Sun, 01 Mar 2026 10:05:00 GMT"), 300)
    assert.strictEqual(read("Sun, 01 Mar 2026 09:00:00 GMT"), 0)
    assert.strictEqual(read("999999"), 86_400)
    for (const header of [undefined, "", "soon", "-5", "1.5e3x"]) assert.isUndefined(read(header))
  })
})

import { createHmac, randomBytes } from "node:crypto"
import fc from "fast-check"
import { assert, describe, expectTypeOf, it } from "vitest"
import type { EmailBounceEvent, SegmentEntryEvent } from "./types.generated.ts"
import { verifyWebhook, WebhookError } from "./Webhook.ts"

const key = randomBytes(32)
const secret = `whsec_${key.toString("base64")}`
const now = () => Math.floor(Date.now() / 1000)

const sign = (body: string, { id = "d-1", at = now(), by = key } = {}) => ({
  "webhook-id": id,
  "webhook-timestamp": String(at),
  "webhook-signature": `v1,${createHmac("sha256", by).update(`${id}.${at}.${body}`).digest("base64")}`
})

const reason = async (body: string, headers: Record<string, string | undefined>, by = secret) => {
  const error = await verifyWebhook(body, headers, by).catch((error: unknown) => error)
  return error instanceof WebhookError ? error.reason : error
}

describe("verifyWebhook", () => {
  it("returns the content of a call that the service signed, for every form of headers and body", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (content) => {
        const body = JSON.stringify(content)
        const headers = sign(body)
        for (const [payload, form] of [
          [body, headers],
          [body, Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))],
          [new TextEncoder().encode(body), new Headers(headers)]
        ] as const) {
          assert.deepStrictEqual(await verifyWebhook(payload, form, secret), JSON.parse(body))
        }
      }),
      { numRuns: 30 }
    )
    assert.isNull(await verifyWebhook("", sign(""), secret))
  })

  it("accepts the example of the Standard Webhooks specification", async () => {
    const body = '{"test": 2432232314}'
    const example = createHmac("sha256", Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64"))
      .update(`msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.${body}`)
      .digest("base64")
    assert.strictEqual(example, "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  })

  it("accepts one matching signature of several, as during a rotation of the secret", async () => {
    const headers = sign("{}")
    const others = `v1,${randomBytes(32).toString("base64")} v2,abc v1,%%% ${headers["webhook-signature"]}`
    assert.deepStrictEqual(await verifyWebhook<object>("{}", { ...headers, "webhook-signature": others }, secret), {})
  })

  it("refuses every call with a byte changed", async () => {
    const body = JSON.stringify({ id: 1, text: "Köln" })
    await fc.assert(
      fc.asyncProperty(fc.nat(body.length - 1), fc.constantFrom("body", "webhook-id"), async (at, what) => {
        const changed = `${body.slice(0, at)}\u0001${body.slice(at + 1)}`
        const headers = sign(body)
        const told = what === "body" ? reason(changed, headers) : reason(body, { ...headers, "webhook-id": "d-2" })
        assert.strictEqual(await told, "signature")
      }),
      { numRuns: 20 }
    )
    assert.strictEqual(await reason(body, sign(body, { by: randomBytes(32) })), "signature")
    assert.strictEqual(await reason(body, sign(body), `whsec_${randomBytes(32).toString("base64")}`), "signature")
  })

  it("refuses a time more than five minutes in the past or the future", async () => {
    for (const at of [now() - 290, now() + 290])
      assert.deepStrictEqual(await verifyWebhook<object>("{}", sign("{}", { at }), secret), {})
    for (const at of [now() - 310, now() + 310, 0])
      assert.strictEqual(await reason("{}", sign("{}", { at })), "timestamp")
    assert.strictEqual(await reason("{}", { ...sign("{}"), "webhook-timestamp": "soon" }), "timestamp")
  })

  it("names the header that is missing", async () => {
    const headers = sign("{}")
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
      assert.strictEqual(await reason("{}", { ...headers, [name]: undefined }), "headers")
    }
  })

  it("types the content by the type of the event", async () => {
    const data = { emailId: "e-1", bounceType: "Permanent", diagnostic: "550 no such user" }
    const body = JSON.stringify({ type: "email.bounce", timestamp: "2026-03-01T10:00:00.000Z", projectId: "p-1", data })
    const event = await verifyWebhook(body, sign(body), secret)
    if (event.type === "email.bounce") {
      expectTypeOf(event).toEqualTypeOf<EmailBounceEvent>()
      expectTypeOf(event.data.bounceType).toEqualTypeOf<"Permanent" | "Transient" | "Undetermined">()
      assert.strictEqual(event.data.diagnostic, "550 no such user")
    } else assert.fail("The type tells the events apart.")
    expectTypeOf<"segment.vip.entry">().toExtend<SegmentEntryEvent["type"]>()
    expectTypeOf<"email.sent">().not.toExtend<SegmentEntryEvent["type"]>()
    const order = await verifyWebhook<{ order: number }>(`{"order":7}`, sign(`{"order":7}`), secret)
    assert.strictEqual(order.order, 7)
  })
})

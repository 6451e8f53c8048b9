import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { classify, providerId } from "./Replies.ts"

describe("What a reply means", () => {
  it.each([
    [550, "5.1.1", "address"],
    [550, "5.1.10", "address"],
    [550, "5.2.1", "address"],
    [450, "5.1.1", "temporary"],
    [552, "5.2.2", "temporary"],
    [452, "4.2.2", "temporary"],
    [552, "5.3.4", "rejected"],
    [550, "5.7.1", "rejected"],
    [550, "5.7.515", "rejected"],
    [554, "", "rejected"],
    [501, "5.5.4", "rejected"],
    [421, "", "slow_down"],
    [451, "4.7.1", "slow_down"],
    [454, "4.5.0", "slow_down"],
    [450, "4.2.1", "slow_down"],
    [451, "4.3.0", "temporary"],
    [452, "", "temporary"]
  ] as const)("%i %s is %s", (code, enhancedCode, expected) => {
    assert.strictEqual(classify({ code, enhancedCode, reply: `${code} ${enhancedCode} text` }), expected)
  })

  it("reads the text where there is no enhanced code", () => {
    assert.strictEqual(classify({ code: 552, reply: "552 mailbox over quota" }), "temporary")
    assert.strictEqual(classify({ code: 451, reply: "451 rate limit exceeded" }), "slow_down")
  })

  it("never gives an address up on a temporary code, whatever else is said", () => {
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 499 }), fc.string(), fc.string(), (code, enhancedCode, reply) => {
        assert.include(["temporary", "slow_down"], classify({ code, enhancedCode, reply }))
      })
    )
  })
})

it.each([
  [
    "250 Ok 0102018f3c2a1b4d-7e1f3c5a-1111-2222-3333-444455556666-000000",
    "0102018f3c2a1b4d-7e1f3c5a-1111-2222-3333-444455556666-000000"
  ],
  ["250 2.0.0 Ok: queued as 4FxK2Q1Bz9zabcDEF01", "4FxK2Q1Bz9zabcDEF01"],
  ["250 2.0.0 OK 1605884405 a1si1234567890abc.12 - gsmtp", "a1si1234567890abc.12"],
  ["250 2.0.0 Ok: queued as 4FxK", null],
  ["250 Accepted for immediate-delivery", null],
  ["250 ok", null],
  ["", null]
])("%s names the mail %s", (reply, id) => {
  assert.strictEqual(providerId(reply), id)
})

import { assert, describe, it } from "@effect/vitest"
import { redactText } from "./Redaction.ts"

/** The fastest of some runs, in milliseconds. */
const fastest = (text: string): number =>
  Math.min(
    ...Array.from({ length: 5 }, () => {
      const start = performance.now()
      redactText(text, false)
      return performance.now() - start
    })
  )

it("keys of projects are shortened to their prefix, which shows their kind", () => {
  const key = "k".repeat(43)
  const text = redactText(`of sk_${key} and pk_${key} and ph_live_${key} and ph_test_${key}.`, true)
  assert.strictEqual(text, "of sk_... and pk_... and ph_live_... and ph_test_....")
})

describe("redaction takes linear time", () => {
  it.each(["a", "a.", "a-", "a@", "token", "Bearer ", 'password="', "a://", "-", "1.", "x@1.", "sk_", "ph_live_"])(
    "of %j, repeated",
    (part) => {
      const of = (size: number) => part.repeat(size / part.length)
      // A quadratic pattern takes seconds for the longer text.
      assert.isBelow(fastest(of(400_000)), 4 * fastest(of(100_000)) + 50)
    }
  )
})

describe("a text that is cut", () => {
  it.each([
    `${"x ".repeat(4_080)} https://user:${"p".repeat(60)}@db.test/`,
    `${"x ".repeat(4_080)} password="${"two words ".repeat(20)}"`,
    `${"x ".repeat(4_080)} anna.${"l".repeat(50)}@example.com`
  ])("shows no part of a secret: case %#", (text) => {
    const redacted = redactText(text, false)
    assert.notMatch(redacted, /ppp|two words|anna|lll/)
    assert.match(redacted, /\.\.\. \(\d+ characters more\)$/)
  })
})

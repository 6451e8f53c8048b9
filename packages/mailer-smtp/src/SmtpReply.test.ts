import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { read, shown } from "./SmtpReply.ts"

describe("SmtpReply", () => {
  it.each([
    ["250 2.0.0 Ok", 250, "2.0.0"],
    ["550-5.1.1 No\n550 5.1.1 such user", 550, "5.1.1"],
    ["421 4.7.28 Slow down", 421, "4.7.28"],
    ["452 Too many", 452, undefined],
    ["550 5.1.1", 550, "5.1.1"],
    ["550 5.1.1000 odd", 550, undefined],
    ["550 1.2.3.4 is blocked", 550, undefined],
    ["550", 550, undefined],
    ["hello", undefined, undefined],
    ["999 x", undefined, undefined]
  ])("the codes of %j are parsed", (text, code, enhancedCode) => {
    const reply = read(text, [])
    assert.deepStrictEqual([reply.code, reply.enhancedCode, reply.reply], [code, enhancedCode, text])
  })

  it("contains no characters that a database or a terminal cannot handle", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(fc.string({ unit: "binary", maxLength: 1 }), fc.constant("\ud800")),
          maxLength: 3000
        }),
        (text) => {
          const clean = shown(text, [])
          assert.isAtMost(Buffer.byteLength(clean), 1024)
          assert.isTrue(clean.isWellFormed())
          assert.notMatch(clean, /[^\P{Cc}\n]/u)
        }
      )
    )
  })

  it("masks secrets at any position", () => {
    assert.strictEqual(shown("535 s3cret? c3Rz s3cret", ["c3Rz", "s3cret"]), "535 ***? *** ***")
  })
})

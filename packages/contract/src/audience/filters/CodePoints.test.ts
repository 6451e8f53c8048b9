import { assert, it } from "@effect/vitest"
import fc from "fast-check"
import { compareCodePoints } from "./CodePoints.ts"

it("texts are sorted by their UTF-8 bytes", () => {
  const unit = fc.oneof(
    fc.constantFrom("a", "b", "\u0001", "é", "\ud7ff", "\uffff", "😀", "😁", "𐀀"),
    fc.string({ unit: "binary" })
  )
  const text = fc.array(unit, { maxLength: 4 }).map((units) => units.join("").toWellFormed())
  fc.assert(
    fc.property(text, text, (one, other) => {
      assert.strictEqual(Math.sign(compareCodePoints(one, other)), Buffer.compare(Buffer.from(one), Buffer.from(other)))
    }),
    { numRuns: 2000 }
  )
})

import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { diff, diffText } from "./Diff.ts"

const text = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 8 }).map((lines) => lines.join("\n"))

it("both texts can be restored from the lines; two equal texts give each line once", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diff(before, after)
      const without = (sign: string) => lines.flatMap((line) => (line.sign === sign ? [] : line.text)).join("\n")
      assert.deepStrictEqual([without("+"), without("-")], [before, after])
      assert.isTrue(before !== after || lines.every(({ sign }) => sign === " "))
    })
  )
})

it("control characters of the texts do not move the cursor", () => {
  assert.strictEqual(diffText("a\u001b[2J\u0007", "\ta\r\u009b31m"), "- a [2J \n+ \ta 31m")
})

it("one changed line of a long text is shown with the lines around it", () => {
  const lines = Array.from({ length: 40_000 }, (_, n) => `line ${n}`)
  const changed = lines.with(20_000, "another")
  assert.strictEqual(
    diffText(lines.join("\n"), changed.join("\n")),
    ["  line 19998", "  line 19999", "- line 20000", "+ another", "  line 20001", "  line 20002", "  ..."].join("\n")
  )
})

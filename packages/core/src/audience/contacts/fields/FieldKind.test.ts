import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { fieldTypeOf, isoDatePattern } from "./FieldKind.ts"

const pattern = new RegExp(isoDatePattern)

describe("ISO date text", () => {
  it.each([
    "2026-11-20",
    "2024-02-29",
    "2000-02-29",
    "2026-11-20T15:04",
    "2026-11-20T15:04:05.123Z",
    "2026-11-20T15:04:05+02:00"
  ])("is %s", (text) => {
    assert.match(text, pattern)
  })

  it.each([
    "",
    "2026",
    "2026-1-2",
    "2026-13-01",
    "2026-02-30",
    "2026-02-29",
    "1900-02-29",
    "2026-11-20 15:04",
    "2026-11-20T24:00",
    "2026-11-20T15:04:05+2",
    "x2026-11-20",
    "2026-11-20\n"
  ])("is not %j", (text) => {
    assert.notMatch(text, pattern)
  })

  it("matches every day of the calendar and no date that does not exist", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9999 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (year, month, day) => {
          const text = [String(year).padStart(4, "0"), ...[month, day].map((n) => String(n).padStart(2, "0"))].join("-")
          const date = new Date(`${text}T00:00:00Z`)
          const isReal = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
          assert.strictEqual(pattern.test(text), isReal, text)
        }
      ),
      { numRuns: 2_000 }
    )
  })
})

describe("The type of a field", () => {
  it.each([
    [["string"], "string"],
    [["date"], "date"],
    [["date", "string"], "string"],
    [["number", "string"], "mixed"],
    [["object", "array"], "mixed"]
  ] as const)("with values of %j is %s", (kinds, type) => {
    assert.strictEqual(fieldTypeOf(new Set(kinds)), type)
  })
})

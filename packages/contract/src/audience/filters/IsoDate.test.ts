import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { isoDate } from "./IsoDate.ts"

describe("an ISO date text", () => {
  it("is the same instant as in JavaScript, in every form", () => {
    const instant = fc.integer({ min: Date.parse("0002-01-01"), max: Date.parse("9998-12-31") })
    const zone = fc.tuple(fc.constantFrom("+", "-"), fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    fc.assert(
      fc.property(instant, fc.constantFrom(16, 19, 21, 22, 23), zone, (at, length, [sign, hours, minutes]) => {
        const text = new Date(at).toISOString().slice(0, length)
        const offset = `${sign}${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`
        assert.strictEqual(isoDate(text)?.start, Date.parse(`${text}Z`))
        assert.strictEqual(isoDate(`${text}Z`)?.start, Date.parse(`${text}Z`))
        assert.strictEqual(isoDate(text + offset)?.start, Date.parse(text + offset))
      })
    )
  })

  it("is a whole UTC day without a time, and a millisecond with one", () => {
    const start = Date.UTC(2026, 10, 20)
    assert.deepStrictEqual(isoDate("2026-11-20"), { start, end: start + 86_400_000 })
    assert.deepStrictEqual(isoDate("2026-11-20T00:00"), { start, end: start + 1 })
    assert.deepStrictEqual(isoDate("2026-11-20T00:00:00.0009Z"), { start, end: start + 1 })
  })

  it("must be a day of the calendar", () => {
    const leapDays = ["2024-02-29", "2000-02-29", "2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "0000-01-01"]
    assert.deepStrictEqual(
      leapDays.filter((text) => isoDate(text) !== undefined),
      ["2024-02-29", "2000-02-29"]
    )
    assert.strictEqual(isoDate("0099-03-01")?.start, new Date("0099-03-01").getTime())
  })

  it.each([
    "",
    "2026",
    "2026-11",
    "2026-11-20T",
    "2026-11-20T12",
    "2026-11-20T12:00:00,5",
    "2026-11-20 12:00",
    "2026-11-20t12:00z",
    "2026-11-20T24:00",
    "2026-11-20T12:00:60",
    "2026-11-20T12:00+0200",
    "2026-11-20T12:00+24:00",
    "2026-11-20Z",
    " 2026-11-20",
    "2026-11-20\n",
    "+002026-11-20"
  ])("is not %j", (text) => {
    assert.isUndefined(isoDate(text))
  })
})

import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { dayIn, monthAfter, monthOf, weeksOf } from "./month.ts"

describe("the calendar of campaigns", () => {
  it("has every day of a month once, in weeks that begin on Monday", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2000, max: 2999 }), fc.integer({ min: 1, max: 12 }), (year, number) => {
        const month = `${year}-${String(number).padStart(2, "0")}`
        const days = weeksOf(month).flat()
        const length = new Date(Date.UTC(year, number, 0)).getUTCDate()
        assert.strictEqual(days.filter((day) => day.startsWith(month)).length, length)
        assert.strictEqual(new Set(days).size, days.length)
        assert.deepStrictEqual([...days].sort(), days)
        assert.strictEqual(new Date(`${days[0]}T00:00Z`).getUTCDay(), 1)
        for (const week of weeksOf(month)) assert.isTrue(week.some((day) => day.startsWith(month)))
        assert.strictEqual(monthAfter(monthAfter(month, 13), -13), month)
      })
    )
    assert.strictEqual(weeksOf("2027-02").length, 4)
  })

  it("puts a time on its day in the zone that is shown", () => {
    assert.strictEqual(dayIn("2026-11-30T23:30:00.000Z", "UTC"), "2026-11-30")
    assert.strictEqual(dayIn("2026-11-30T23:30:00.000Z", "Europe/Berlin"), "2026-12-01")
    assert.strictEqual(dayIn("2026-12-01T04:30:00.000Z", "America/New_York"), "2026-11-30")
  })

  it("takes months and nothing else", () => {
    assert.strictEqual(monthOf("2026-11"), "2026-11")
    for (const text of [undefined, "", "2026", "2026-13", "2026-11-01", "11-2026"]) assert.isNull(monthOf(text))
  })
})

import { assert, describe, it } from "@effect/vitest"
import type { Until } from "@posthorn/contract/automation/workflows/TimingConfig"
import { DateTime, type Schema } from "effect"
import fc from "fast-check"
import { zoneNamed } from "../../../platform/WallClock.ts"
import { momentOf } from "./Moments.ts"

const now = Date.parse("2026-11-27T12:00Z")

const moment = (until: Until, data: Schema.JsonObject = {}, since = now, zone = "Europe/Berlin") => {
  const found = momentOf(until, { data, context: { end: "2026-12-01" } }, since, zoneNamed(zone))
  return found === undefined ? "missing" : DateTime.formatIso(DateTime.makeUnsafe(found)).replace(":00.000Z", "Z")
}

const ends = (value: Schema.Json, more: Until = {}, since = now) =>
  moment({ field: "data.ends", ...more }, { ends: value }, since)

describe("The moment of a DELAY", () => {
  it("is a local date and time, across both clock changes", () => {
    const at = (date: string, zone?: string) => moment({ date, time: "02:30" }, {}, now, zone)
    assert.strictEqual(at("2026-03-29"), "2026-03-29T01:00Z")
    assert.strictEqual(at("2026-10-25"), "2026-10-25T00:30Z")
    assert.strictEqual(at("2026-12-24", "Asia/Tokyo"), "2026-12-23T17:30Z")
    assert.strictEqual(
      moment({ weekdays: ["SUN"], time: "02:30" }, {}, Date.parse("2026-03-27T12:00Z")),
      "2026-03-29T01:00Z"
    )
  })

  it.each<readonly [value: Schema.Json, until: Until, expected: string]>([
    ["2026-12-24", {}, "2026-12-24T08:00Z"],
    ["2026-12-24", { time: "18:15" }, "2026-12-24T17:15Z"],
    ["2026-12-24T23:30:00Z", {}, "2026-12-24T23:30Z"],
    ["2026-12-24T23:30:00Z", { time: "18:15" }, "2026-12-25T17:15Z"],
    ["2026-12-24", { offset: { amount: -3, unit: "days" } }, "2026-12-21T08:00Z"],
    ["2026-12-24T10:00:00Z", { offset: { amount: -90, unit: "minutes" } }, "2026-12-24T08:30Z"],
    // Calendar days keep the wall clock across a clock change; hours do not.
    ["2026-10-24T08:00:00Z", { offset: { amount: 1, unit: "days" } }, "2026-10-25T09:00Z"],
    ["2026-10-24T08:00:00Z", { offset: { amount: 24, unit: "hours" } }, "2026-10-25T08:00Z"],
    ["2026-10-24", { offset: { amount: 1, unit: "weeks" }, time: "02:30" }, "2026-10-31T01:30Z"],
    ["tomorrow", {}, "missing"],
    [20261224, {}, "missing"],
    [null, {}, "missing"],
    ["2026-02-30", {}, "missing"],
    ["9999-12-31", { offset: { amount: 365, unit: "weeks" } }, "missing"]
  ])("of %j with %j is %s", (value, until, expected) => {
    assert.strictEqual(ends(value, until), expected)
  })

  it("is read from the variables of the execution, and from below a field", () => {
    assert.strictEqual(moment({ field: "event.end" }), "2026-12-01T08:00Z")
    assert.strictEqual(moment({ field: "data.trial.ends" }, { trial: { ends: "2026-12-01" } }), "2026-12-01T08:00Z")
    assert.strictEqual(moment({ field: "data.constructor.name" }, {}), "missing")
  })

  it("returns every year, and on the 28th for 29 February", () => {
    const birthday = (born: string, since: string, more: Until = {}) =>
      ends(born, { anniversary: true, ...more }, Date.parse(since))
    assert.strictEqual(birthday("1990-11-27", "2026-11-27T07:59Z"), "2026-11-27T08:00Z")
    assert.strictEqual(birthday("1990-11-27", "2026-11-27T08:00Z"), "2027-11-27T08:00Z")
    assert.strictEqual(birthday("2000-02-29", "2026-11-27T08:00Z"), "2027-02-28T08:00Z")
    assert.strictEqual(birthday("2000-02-29", "2027-11-27T08:00Z"), "2028-02-29T08:00Z")
    const before = { offset: { amount: -7, unit: "days" } } as const
    assert.strictEqual(birthday("1990-01-03", "2026-12-20T08:00Z", before), "2026-12-27T08:00Z")
    assert.strictEqual(birthday("1990-01-03", "2026-12-27T08:00Z", before), "2027-12-27T08:00Z")
  })

  it("of an anniversary is the first one after the start, and at most a leap year away", () => {
    const date = fc.date({ min: new Date("1900-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
    const offset = fc.record({
      amount: fc.integer({ min: -365, max: 365 }),
      unit: fc.constantFrom("minutes", "hours", "days", "weeks")
    })
    fc.assert(
      fc.property(date, date, fc.option(offset), fc.boolean(), (value, since, offset, isDay) => {
        const text = value.toISOString().slice(0, isDay ? 10 : undefined)
        const until = { field: "data.ends", anniversary: true, offset }
        const find = (from: number) => momentOf(until, { data: { ends: text }, context: {} }, from, zoneNamed("UTC"))
        const found = find(since.getTime()) ?? 0
        assert.isAbove(found, since.getTime())
        assert.isAtMost(found - since.getTime(), 367 * 86_400_000)
        // From one moment before, it is the same; from itself, it is the next year's.
        assert.strictEqual(find(found - 1), found)
        assert.isAbove(find(found) ?? 0, found + 364 * 86_400_000)
      })
    )
  })
})

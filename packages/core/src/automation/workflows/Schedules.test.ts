import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result } from "effect"
import { lastBetween, nextAfter, parse } from "./Schedules.ts"

const at = (text: string) => DateTime.makeUnsafe(text)

const sound = (text: string, zone = "UTC") => Result.getOrThrow(parse(text, zone))

const firings = (text: string, zone: string, from: string, count: number) => {
  const schedule = sound(text, zone)
  const found: Array<string> = []
  for (let next = nextAfter(schedule, at(from)); found.length < count; next = nextAfter(schedule, next)) {
    found.push(DateTime.formatIso(next).replace(":00.000Z", "Z"))
  }
  return found.join(" ")
}

describe("A schedule", () => {
  it("fires after the given instant, never at it", () => {
    assert.strictEqual(firings("*/5 * * * *", "UTC", "2026-03-01T00:05:00Z", 2), "2026-03-01T00:10Z 2026-03-01T00:15Z")
  })

  it("uses the local time of its zone", () => {
    assert.strictEqual(firings("0 9 * * *", "Asia/Kolkata", "2026-03-01T00:00:00Z", 1), "2026-03-01T03:30Z")
  })

  it("matches either day if both are restricted, and accepts names and both numbers of Sunday", () => {
    assert.strictEqual(
      firings("0 9 13 * FRI", "UTC", "2026-02-08T00:00:00Z", 3),
      "2026-02-13T09:00Z 2026-02-20T09:00Z 2026-02-27T09:00Z"
    )
    assert.strictEqual(firings("0 9 * mar 7", "UTC", "2026-01-01T00:00:00Z", 1), "2026-03-01T09:00Z")
    assert.strictEqual(firings("0 9 * * 0", "UTC", "2026-02-23T00:00:00Z", 1), "2026-03-01T09:00Z")
  })

  it("fires at the next minute that exists if a clock change skips the time", () => {
    assert.strictEqual(
      firings("30 2 * * *", "Europe/Berlin", "2027-03-27T12:00:00Z", 2),
      "2027-03-28T01:00Z 2027-03-29T00:30Z"
    )
    assert.strictEqual(
      firings("0,30 2,3 * * *", "Europe/Berlin", "2027-03-27T12:00:00Z", 3),
      "2027-03-28T01:00Z 2027-03-28T01:30Z 2027-03-29T00:00Z"
    )
    // In Samoa 30 December 2011 did not exist.
    assert.strictEqual(firings("0 12 30 12 *", "Pacific/Apia", "2011-12-01T00:00:00Z", 1), "2011-12-30T10:00Z")
  })

  it("fires once if a clock change repeats the time", () => {
    assert.strictEqual(
      firings("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2),
      "2026-10-25T00:30Z 2026-10-26T01:30Z"
    )
    assert.strictEqual(firings("30 2 * * *", "Europe/Berlin", "2026-10-25T00:45:00Z", 1), "2026-10-26T01:30Z")
    // Starts within the second of the two repeated hours.
    assert.strictEqual(firings("*/30 * * * *", "Europe/Berlin", "2026-10-25T01:15:00Z", 1), "2026-10-25T02:00Z")
  })

  it("handles leap days and the end of a year", () => {
    assert.strictEqual(firings("0 0 29 2 *", "UTC", "2026-01-01T00:00:00Z", 1), "2028-02-29T00:00Z")
    assert.strictEqual(firings("0 0 * * *", "UTC", "2026-12-31T12:00:00Z", 1), "2027-01-01T00:00Z")
  })

  it("makes up only the latest firing after an outage", () => {
    const hourly = sound("0 * * * *")
    const last = lastBetween(hourly, at("2026-03-01T00:00:00Z"), at("2026-03-01T05:30:00Z"))
    assert.deepInclude(last, { value: at("2026-03-01T05:00:00Z") })
    assert.strictEqual(lastBetween(hourly, at("2026-03-01T05:00:00Z"), at("2026-03-01T05:30:00Z"))._tag, "None")
  })

  it.each([
    ["* * * * *", "UTC"],
    ["*/4 * * * *", "UTC"],
    ["0,58 * * * *", "UTC"],
    ["1,58 22,23 * * *", "UTC"],
    ["0 9 31 2 *", "UTC"],
    ["0 9 * *", "UTC"],
    ["0 0 9 * * *", "UTC"],
    ["@daily", "UTC"],
    ["60 9 * * *", "UTC"],
    ["0 9 * * *", "Mars/Olympus"]
  ])("refuses %s in %s", (text = "", zone = "") => {
    assert.isTrue(Result.isFailure(parse(text, zone)))
  })

  it("accepts firings that are five minutes apart", () => {
    for (const text of ["*/5 * * * *", "0,55 9 * * *", "2,57 * * * *"])
      assert.isTrue(Result.isSuccess(parse(text, "UTC")))
  })
})

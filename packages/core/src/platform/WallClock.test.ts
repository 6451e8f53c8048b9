import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import fc from "fast-check"
import {
  instantOf,
  isOpen,
  localMillis,
  nextOpening,
  nextWeekday,
  type OpenHours,
  weekdayOf,
  zoneNamed
} from "./WallClock.ts"

const at = (text: string) => Date.parse(text)
const iso = (instant: number | undefined) =>
  instant === undefined ? "none" : DateTime.formatIso(DateTime.makeUnsafe(instant)).replace(":00.000Z", "Z")
const berlin = zoneNamed("Europe/Berlin")
const minute = 60_000
const weekdays = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] as const

/** Zones with changes of an hour, of half an hour, at midnight, and of a whole day. */
const places = [
  ["Europe/Berlin", "2026-03-28T12:00Z"],
  ["Europe/Berlin", "2026-10-24T12:00Z"],
  ["Australia/Lord_Howe", "2026-04-04T00:00Z"],
  ["Australia/Lord_Howe", "2026-10-03T00:00Z"],
  ["America/Sao_Paulo", "2018-11-03T12:00Z"],
  ["America/Sao_Paulo", "2018-02-17T12:00Z"],
  ["Pacific/Apia", "2011-12-29T00:00Z"],
  ["Asia/Kolkata", "2026-01-01T00:00Z"]
] as const

const clock = fc
  .record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.constantFrom(0, 10, 30, 59) })
  .map(({ hour, minute }) => `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`)
const hours: fc.Arbitrary<OpenHours> = fc
  .record({ days: fc.option(fc.subarray([...weekdays], { minLength: 1 })), from: clock, to: clock })
  .filter(({ from, to }) => from !== to)

describe("A local time", () => {
  it("that a clock change skips means the first minute after the gap, one that occurs twice the first", () => {
    assert.strictEqual(iso(instantOf(at("2026-03-29T02:30Z"), berlin)), "2026-03-29T01:00Z")
    assert.strictEqual(iso(instantOf(at("2026-10-25T02:30Z"), berlin)), "2026-10-25T00:30Z")
    const newYork = zoneNamed("America/New_York")
    assert.strictEqual(iso(instantOf(at("2026-03-08T02:30Z"), newYork)), "2026-03-08T07:00Z")
    assert.strictEqual(iso(instantOf(at("2026-11-01T01:30Z"), newYork)), "2026-11-01T05:30Z")
  })

  it("has its instant, and the weekday of its date", () => {
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.integer({ min: -2_000, max: 2_000 }), ([name, start], minutes) => {
        const zone = zoneNamed(name)
        const instant = at(start) + minutes * minute
        const local = localMillis(instant, zone)
        // Of a repeated hour, the first.
        assert.isTrue(instantOf(local, zone) <= instant && localMillis(instantOf(local, zone), zone) === local)
        const name_ = new Intl.DateTimeFormat("en", { weekday: "short", timeZone: name }).format(instant)
        assert.strictEqual(weekdayOf(local), name_.toUpperCase())
      })
    )
  })
})

describe("A window of the day", () => {
  const night = { from: "22:00", to: "06:00", days: ["FRI"] as const }

  it("that runs over midnight belongs to the day on which it opens", () => {
    assert.isTrue(isOpen(night, at("2026-11-27T21:00Z"), berlin))
    assert.isTrue(isOpen(night, at("2026-11-28T04:59Z"), berlin))
    assert.isFalse(isOpen(night, at("2026-11-28T05:00Z"), berlin))
    assert.isFalse(isOpen(night, at("2026-11-28T21:00Z"), berlin))
    assert.isFalse(isOpen(night, at("2026-11-27T04:00Z"), berlin))
    assert.strictEqual(iso(nextOpening(night, at("2026-11-28T05:00Z"), berlin)), "2026-12-04T21:00Z")
  })

  it("opens after a skipped hour, and not at all on a day that skips it whole", () => {
    const whole = { from: "02:00", to: "04:00" }
    assert.strictEqual(iso(nextOpening(whole, at("2026-03-28T12:00Z"), berlin)), "2026-03-29T01:00Z")
    const within = { from: "02:10", to: "02:50" }
    assert.strictEqual(iso(nextOpening(within, at("2026-03-28T12:00Z"), berlin)), "2026-03-30T00:10Z")
    assert.strictEqual(
      iso(nextOpening({ ...within, days: ["SUN"] }, at("2026-03-28T12:00Z"), berlin)),
      "2026-04-05T00:10Z"
    )
  })

  it("opens at the first minute at which the wall clock is in it", () => {
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.integer({ min: 0, max: 2_000 }), hours, ([name, start], n, window) => {
        const zone = zoneNamed(name)
        const now = at(start) + n * minute
        if (isOpen(window, now, zone)) return
        const found = nextOpening(window, now, zone)
        assert.isDefined(found)
        // Between two looks, a window of a minute or more that is closed at both stays closed.
        for (let look = now; look < Math.min(found ?? 0, now + 2 * 86_400_000); look += minute) {
          assert.isFalse(isOpen(window, look, zone), iso(look))
        }
        assert.isTrue(isOpen(window, found ?? 0, zone))
      }),
      { numRuns: 60 }
    )
  })
})

describe("The next weekday", () => {
  it("is today only while the time is ahead", () => {
    const nine = 9 * 60 * minute
    const next = (text: string) => iso(nextWeekday(["FRI"], nine, at(text), berlin))
    assert.strictEqual(next("2026-11-27T07:59Z"), "2026-11-27T08:00Z")
    assert.strictEqual(next("2026-11-27T08:00Z"), "2026-12-04T08:00Z")
    assert.strictEqual(next("2026-11-28T08:00Z"), "2026-12-04T08:00Z")
  })
})

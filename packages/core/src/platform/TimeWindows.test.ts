import { assert, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import * as FastCheck from "fast-check"
import { quarterFrom, quarterOf } from "./QuarterHours.ts"
import { dateWindow, windowDays } from "./TimeWindows.ts"

const hours = (starts: ReadonlyArray<DateTime.Utc>) =>
  starts
    .slice(1)
    .map((start, n) => (Number(start.epochMilliseconds) - Number(starts[n]?.epochMilliseconds)) / 3_600_000)

const errorsOf = <A>(window: Effect.Effect<A, { readonly errors?: ReadonlyArray<{ readonly field: string }> }>) =>
  Effect.map(Effect.flip(window), ({ errors }) => errors?.map(({ field }) => field))

it.effect("days have 23 or 25 hours when clocks change, and start at midnight of the zone", () =>
  Effect.gen(function* () {
    const days = (startDate: string, endDate: string, timezone: string) =>
      windowDays({ startDate, endDate, timezone }, "UTC")
    const spring = yield* days("2026-03-28", "2026-03-30", "Europe/Berlin")
    assert.deepStrictEqual(spring.dates, ["2026-03-28", "2026-03-29", "2026-03-30"])
    assert.deepStrictEqual(hours(spring.starts), [24, 23, 24])
    assert.deepStrictEqual(hours((yield* days("2026-10-24", "2026-10-26", "Europe/Berlin")).starts), [24, 25, 24])
    // The clocks change at midnight, so the day begins at one.
    const cairo = yield* days("2026-04-23", "2026-04-25", "Africa/Cairo")
    assert.deepStrictEqual(hours(cairo.starts), [24, 23, 24])
    const [nepal] = (yield* days("2026-03-01", "2026-03-01", "Asia/Kathmandu")).starts
    assert.strictEqual(nepal && DateTime.formatIso(nepal), "2026-02-28T18:15:00.000Z")
    // A day that the zone skipped when it crossed the date line.
    assert.deepStrictEqual((yield* days("2011-12-29", "2011-12-31", "Pacific/Apia")).dates, [
      "2011-12-29",
      "2011-12-31"
    ])
  })
)

it.effect("the last 30 days end today, in the time zone of the query, else of the project", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.UTC(2026, 10, 20, 23, 30))
    const first = ({ dates }: { readonly dates: ReadonlyArray<string> }) => [dates.length, dates[0], dates.at(-1)]
    assert.deepStrictEqual(first(yield* windowDays({}, "UTC")), [30, "2026-10-22", "2026-11-20"])
    assert.deepStrictEqual(first(yield* windowDays({}, "Asia/Tokyo")), [30, "2026-10-23", "2026-11-21"])
    assert.deepStrictEqual(first(yield* windowDays({ timezone: "UTC" }, "Asia/Tokyo")), [
      30,
      "2026-10-22",
      "2026-11-20"
    ])
    // A date-time as the end is exclusive, and days are whole.
    const given = { startDate: "2026-11-01T12:00:00Z", endDate: "2026-11-03T00:00:00Z" }
    assert.deepStrictEqual((yield* windowDays(given, "UTC")).dates, ["2026-11-01", "2026-11-02"])
    const window = yield* dateWindow({}, "UTC")
    assert.strictEqual(DateTime.formatIso(window.from), "2026-10-21T23:30:00.001Z")
  })
)

it.effect("a window has at most 366 days, and its end is not before its start", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.UTC(2026, 10, 20))
    const year = { startDate: "2024-01-01", endDate: "2024-12-31" }
    assert.strictEqual((yield* windowDays(year, "UTC")).dates.length, 366)
    yield* dateWindow(year, "UTC")
    const longer = { ...year, endDate: "2025-01-01" }
    assert.deepStrictEqual(yield* errorsOf(windowDays(longer, "UTC")), ["startDate"])
    assert.deepStrictEqual(yield* errorsOf(dateWindow(longer, "UTC")), ["startDate"])
    assert.deepStrictEqual(yield* errorsOf(dateWindow({ startDate: "2025-01-01" }, "UTC")), ["startDate"])
    assert.deepStrictEqual(yield* errorsOf(dateWindow({ ...year, endDate: "2023-12-31" }, "UTC")), ["startDate"])
    // From tomorrow until now: an empty window, not an error.
    const future = yield* dateWindow({ startDate: "2026-11-21" }, "UTC")
    assert.isTrue(DateTime.Equivalence(future.from, future.until))
    assert.deepStrictEqual((yield* windowDays({ startDate: "2026-11-21" }, "UTC")).dates, [])
  })
)

it("days in every time zone start with a quarter of an hour", () => {
  FastCheck.assert(
    FastCheck.property(FastCheck.integer({ min: 0, max: 4e12 }), (millis) => {
      const at = DateTime.makeUnsafe(millis)
      const [down, up] = [quarterOf(at).epochMilliseconds, quarterFrom(at).epochMilliseconds]
      assert.isTrue(down <= millis && millis <= up && up - down === (down === millis ? 0 : 900_000))
      assert.strictEqual(down % 900_000, 0)
    })
  )
})

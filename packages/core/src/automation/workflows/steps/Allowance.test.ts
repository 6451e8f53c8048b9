import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { zoneNamed } from "../../../platform/WallClock.ts"
import { type Allowance, admittedVisitors, slots } from "./Allowance.ts"

const unused: Allowance = { nextAt: null, windowAt: null, used: 0 }
const per = fc.constantFrom("minute" as const, "hour" as const, "day" as const)
const millisIn = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }
/** The clock of each round, and its visitors. Workers' clocks only go forward here. */
const rounds = fc.array(fc.record({ pause: fc.nat(100_000), visitors: fc.integer({ min: 1, max: 50 }) }), {
  maxLength: 30
})

describe("The slots of a RATE_LIMIT", () => {
  it("are evenly spaced, never before now, and the last of a round leads to the next round", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), per, rounds, (limit, per, rounds) => {
        const config = { limit, per, maxWaitHours: 8_760 }
        const distance = millisIn[per] / limit
        let [stored, now, last] = [unused, 1_800_000_000_000, Number.NEGATIVE_INFINITY]
        for (const { pause, visitors } of rounds) {
          now += pause
          const found = slots(config, stored, now, visitors)
          stored = found.stored
          for (const slot of found.slots) {
            if (slot === undefined) continue
            assert.isAtLeast(slot, now)
            assert.isAtLeast(slot - last, distance * 0.999 - 0.001)
            last = slot
          }
        }
      })
    )
  })

  it("are not taken by those that would wait too long", () => {
    const config = { limit: 2, per: "hour", maxWaitHours: 1 } as const
    const first = slots(config, unused, 0, 5)
    assert.deepStrictEqual(first.slots, [0, 1_800_000, 3_600_000, undefined, undefined])
    assert.deepStrictEqual(slots(config, first.stored, 0, 1).slots, [undefined])
    assert.deepStrictEqual(slots(config, first.stored, 1_800_000, 2).slots, [5_400_000, undefined])
  })
})

describe("The counter of a RATE_LIMIT", () => {
  it("admits at most the limit in each minute, hour or day of the zone", () => {
    const zones = fc.constantFrom("UTC", "Asia/Kolkata", "America/New_York")
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), per, zones, rounds, (limit, per, zone, rounds) => {
        const counts = new Map<number, number>()
        let [stored, now] = [unused, Date.parse("2026-11-01T03:59:00Z")]
        for (const { pause, visitors } of rounds) {
          now += pause
          const found = admittedVisitors({ limit, per }, stored, now, zoneNamed(zone), visitors)
          stored = found.stored
          const window = stored.windowAt ?? 0
          assert.isTrue(window <= now && now - window < 25 * 3_600_000)
          counts.set(window, (counts.get(window) ?? 0) + found.admitted)
          // Nobody is turned away while there is room.
          if (found.admitted < visitors) assert.strictEqual(counts.get(window), limit)
        }
        for (const count of counts.values()) assert.isAtMost(count, limit)
      })
    )
  })

  it("begins days at midnight of the zone, on the day of a clock change too", () => {
    const day = (now: string) =>
      admittedVisitors({ limit: 1, per: "day" }, unused, Date.parse(now), zoneNamed("Europe/Berlin"), 1).stored.windowAt
    assert.strictEqual(day("2026-10-25T22:59Z"), Date.parse("2026-10-24T22:00Z"))
    assert.strictEqual(day("2026-10-25T23:00Z"), Date.parse("2026-10-25T23:00Z"))
    const hour = admittedVisitors(
      { limit: 1, per: "hour" },
      unused,
      Date.parse("2026-10-25T01:30Z"),
      zoneNamed("Europe/Berlin"),
      1
    )
    assert.strictEqual(hour.stored.windowAt, Date.parse("2026-10-25T01:00Z"))
  })

  it("counts in the window of a process whose clock is a little ahead, and restarts when the clock was set back", () => {
    const zone = zoneNamed("UTC")
    const ahead = admittedVisitors({ limit: 2, per: "minute" }, unused, 60_000, zone, 1).stored
    const behind = admittedVisitors({ limit: 2, per: "minute" }, ahead, 59_999, zone, 2)
    assert.deepStrictEqual([behind.admitted, behind.stored.windowAt], [1, 60_000])
    assert.strictEqual(
      admittedVisitors({ limit: 2, per: "minute" }, { ...ahead, windowAt: 3_600_000, used: 2 }, 0, zone, 1).admitted,
      1
    )
  })
})

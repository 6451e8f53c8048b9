import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option } from "effect"
import { scheduleTime } from "./ScheduleTime.ts"

const read = (given: unknown) => Option.getOrNull(Option.map(scheduleTime(given), DateTime.formatIso))

describe("The time a campaign is scheduled for", () => {
  it("is what Date parses, in UTC without a zone", () => {
    // The result does not depend on the zone of the server. Some of these hours its clock skips or repeats.
    const before = process.env["TZ"]
    for (const zone of ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"]) {
      process.env["TZ"] = zone
      const times = [
        ["2026-12-24T09:00:00Z", "2026-12-24T09:00:00.000Z"],
        ["2026-12-24T09:00:00+02:00", "2026-12-24T07:00:00.000Z"],
        ["2026-12-24T09:00:00.5-0530", "2026-12-24T14:30:00.500Z"],
        ["2026-12-24", "2026-12-24T00:00:00.000Z"],
        ["2026-12", "2026-12-01T00:00:00.000Z"],
        ["2026", "2026-01-01T00:00:00.000Z"],
        ["2026-12-24T09:00", "2026-12-24T09:00:00.000Z"],
        ["2026-12-24 09:00:30", "2026-12-24T09:00:30.000Z"],
        ["2027-03-28T02:30:00", "2027-03-28T02:30:00.000Z"],
        ["2026-10-25T02:30:00", "2026-10-25T02:30:00.000Z"],
        ["2027-03-14T02:30", "2027-03-14T02:30:00.000Z"],
        ["Dec 24, 2026 09:00", "2026-12-24T09:00:00.000Z"],
        ["Thu, 24 Dec 2026 09:00:00 GMT", "2026-12-24T09:00:00.000Z"],
        ["24 December 2026 09:00 EST", "2026-12-24T14:00:00.000Z"],
        ["Thu Dec 24 2026 09:00:00 GMT+0100 (CET)", "2026-12-24T08:00:00.000Z"],
        ["12/24/2026", "2026-12-24T00:00:00.000Z"],
        [1798102800000, "2026-12-24T09:00:00.000Z"],
        [0, "1970-01-01T00:00:00.000Z"],
        ["1999-12-31", "1999-12-31T00:00:00.000Z"]
      ] as const
      for (const [given, expected] of times) assert.strictEqual(read(given), expected, `${given} in ${zone}`)
    }
    process.env["TZ"] = before ?? ""
    if (before === undefined) delete process.env["TZ"]
  })

  it("is no other text or value", () => {
    const others = ["", " ", "soon", "2026-13-01", true, false, {}, [], 1.5, Number.NaN, 9e15, "+012026-01-01", -1e15]
    for (const given of others) assert.strictEqual(read(given), null, String(given))
  })
})

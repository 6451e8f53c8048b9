/** The caps that a warm-up is still to reach. */
import { warmupPresets } from "@posthorn/contract/mail/domains/Warmup"
import { assert, describe, it } from "vitest"
import { capsToCome } from "./warmupCaps.ts"

describe("capsToCome", () => {
  it.each(["STANDARD", "FAST"] as const)("has the caps of the service for %s", (preset) => {
    const plan = { preset, caps: null, completesOn: "2026-03-31" }
    const capsFrom = (step: number) => capsToCome({ ...plan, step }).map(({ cap }) => cap)
    assert.deepStrictEqual(capsFrom(0), [...warmupPresets[preset]])
    assert.deepStrictEqual(capsFrom(3), warmupPresets[preset].slice(3))
  })

  it("ends on the last day, and has nothing for a plan that is over", () => {
    const plan = { preset: "CUSTOM", caps: [100, 200, 300], step: 1 } as const
    assert.deepStrictEqual(capsToCome({ ...plan, completesOn: "2026-03-31" }), [
      { date: "2026-03-30", cap: 200 },
      { date: "2026-03-31", cap: 300 }
    ])
    assert.deepStrictEqual(capsToCome({ ...plan, completesOn: null }), [])
  })
})

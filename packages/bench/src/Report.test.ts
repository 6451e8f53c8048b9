import { assert, describe, it } from "@effect/vitest"
import type { Measured } from "./Measure.ts"
import { markdown } from "./Report.ts"

const sample = (value: number): Measured => ({
  value,
  cpuMillisPerItem: 0.8123,
  latency: { p50: 12.34, p95: 45.6, p99: 99.9 },
  surroundings: { busyPercent: 90, stealPercent: 0 }
})

const machine = {
  cores: 2,
  processor: "Example",
  memoryGigabytes: 8,
  system: "Linux 6.1",
  node: "v24.21.0",
  loadAverage: [0.5, 0.4, 0.3],
  postgres: undefined
}
const plan = { rounds: 3, effort: { seconds: 10, mails: 5000 }, warmUp: { seconds: 5, mails: 2000 } }
const row = { id: "X1", title: "an example", conditions: ["alone"], loadAverage: 0.5, cases: [] }

const table = (given: Parameters<typeof markdown>[0]["rows"]) =>
  markdown({ startedAt: "2026-01-01T00:00:00.000Z", machine, plan, rows: given })

describe("the report", () => {
  it("has a line for Posthorn and one for each baseline, with the ratio to it", () => {
    const report = table([
      {
        ...row,
        cases: [
          {
            name: "only",
            unit: "requests/s",
            target: ">= 0.5",
            posthorn: [sample(1000), sample(1200), sample(1100)],
            baselines: { raw: [sample(2000), sample(2400), sample(2200)] },
            ratios: { raw: { median: 0.5, min: 0.5, max: 0.5 } }
          }
        ]
      }
    ])
    assert.include(report, "| X1 | an example: only | >= 0.5 | Posthorn | 1,100 (1,000-1,200) requests/s |  | 0.812 |")
    assert.include(report, "|  |  |  | raw | 2,200 (2,000-2,400) requests/s | 0.500 (0.500-0.500) | 0.812 |")
    assert.include(report, "| 12.3 / 45.6 / 99.9 |")
  })

  it("a row without figures shows the reason", () => {
    const report = table([
      { ...row, skipped: "no server" },
      { ...row, id: "X2", failed: "it broke" }
    ])
    assert.include(report, "| X1 | **SKIPPED**: no server |")
    assert.include(report, "| X2 | **FAILED**: it broke |")
  })
})

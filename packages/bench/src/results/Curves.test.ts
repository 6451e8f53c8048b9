import { assert, it } from "@effect/vitest"
import type { MeasuredCase, MeasuredRow } from "../Measure.ts"
import { curves } from "./Curves.ts"

const run = (value: number) => ({ value, surroundings: undefined })

const caseOf = (size: number, ms: number): MeasuredCase => ({
  name: `count, of ${size}`,
  unit: "ms",
  target: "-",
  curve: { line: "count", size },
  posthorn: [run(ms)],
  baselines: { raw: [run(ms / 2)] },
  ratios: {}
})
const row = (cases: ReadonlyArray<MeasuredCase>): MeasuredRow => ({
  id: "A4",
  title: "segment",
  conditions: [],
  loadAverage: 0,
  cases
})

it("a row that was measured at several sizes is drawn beside its baselines, the smallest first", () => {
  const made = curves([row([caseOf(10_000, 10), caseOf(100_000, 20), caseOf(1_000, 5)])]) ?? ""
  assert.include(made, "A4 segment: median in ms")
  assert.deepStrictEqual(
    [...made.matchAll(/<polyline points="([^"]+)"/g)].map(([, points]) => points),
    ["70.0,166.0 360.0,122.0 650.0,34.0", "70.0,188.0 360.0,166.0 650.0,122.0"]
  )
  assert.include(made, ">raw (count)</text>")
})

it("rows of one size make no plot", () => {
  assert.isUndefined(curves([row([caseOf(10_000, 10)])]))
})

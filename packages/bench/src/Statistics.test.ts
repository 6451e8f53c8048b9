import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { latencyOf, spread } from "./Statistics.ts"

const finite = fc.double({ noNaN: true, noDefaultInfinity: true })

describe("statistics", () => {
  it("the median of an even number of values lies between the two in the middle", () => {
    assert.deepStrictEqual(spread([4, 1, 3, 2]), { median: 2.5, min: 1, max: 4 })
    assert.deepStrictEqual(spread([10, 9, 100]), { median: 10, min: 9, max: 100 })
  })

  it("a percentile is the value that so many do not exceed", () => {
    const millis = Array.from({ length: 100 }, (_, n) => 100 - n)
    assert.deepStrictEqual(latencyOf(millis), { p50: 50, p95: 95, p99: 99 })
    assert.deepStrictEqual(latencyOf([7]), { p50: 7, p95: 7, p99: 7 })
  })

  it("nothing measured is no number", () => {
    assert.deepStrictEqual(latencyOf([]), { p50: Number.NaN, p95: Number.NaN, p99: Number.NaN })
    assert.isNaN(spread([]).median)
  })

  it("the order of the values does not matter, and percentiles are values that were there", () => {
    fc.assert(
      fc.property(fc.array(finite, { minLength: 1 }), (values) => {
        assert.deepStrictEqual(latencyOf(values.toReversed()), latencyOf(values))
        assert.include(values, latencyOf(values).p95)
      })
    )
  })
})

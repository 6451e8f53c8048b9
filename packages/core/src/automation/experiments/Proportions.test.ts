import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { compare, difference, twoSided, type VariantCount } from "./Proportions.ts"

const pair = (one: number, other: number, sent: number): ReadonlyArray<VariantCount> => [
  { key: "A", sent, successes: one },
  { key: "B", sent, successes: other }
]

/** A second implementation: the density of the normal distribution, summed by Simpson's rule. */
const tails = (z: number): number => {
  const [from, until, steps] = [Math.abs(z), Math.abs(z) + 12, 4_000]
  const width = (until - from) / steps
  let sum = 0
  for (let n = 0; n <= steps; n++) {
    const weight = n === 0 || n === steps ? 1 : n % 2 === 1 ? 4 : 2
    sum += weight * Math.exp(-((from + n * width) ** 2) / 2)
  }
  return (2 * sum * width) / 3 / Math.sqrt(2 * Math.PI)
}

/** The rates that the score test would not refuse, searched by bisection. */
const border = (rate: number, sent: number, outer: number): number => {
  let [inside, outside] = [rate, outer]
  for (let n = 0; n < 200; n++) {
    const middle = (inside + outside) / 2
    const isInside = Math.abs(rate - middle) <= 1.959963984540054 * Math.sqrt((middle * (1 - middle)) / sent)
    if (isInside) inside = middle
    else outside = middle
  }
  return inside
}

/** Chi-square of a table of two by two: the square of z. */
const chiSquare = (one: VariantCount, other: VariantCount): number => {
  const [a, b, c, d] = [one.successes, one.sent - one.successes, other.successes, other.sent - other.successes]
  const margins = (a + b) * (c + d) * (a + c) * (b + d)
  return margins === 0 ? 0 : ((a * d - b * c) ** 2 * (a + b + c + d)) / margins
}

/** Holm's method by its definition: refuses one hypothesis after the other, until one holds. */
const refused = (values: ReadonlyArray<number>, alpha: number): ReadonlySet<number> => {
  const found = new Set<number>()
  const open = values.map((_, at) => at).sort((a, b) => (values[a] ?? 1) - (values[b] ?? 1))
  for (const [rank, at] of open.entries()) {
    if ((values[at] ?? 1) >= alpha / (values.length - rank)) break
    found.add(at)
  }
  return found
}

const variant = fc
  .record({ sent: fc.integer({ min: 1, max: 100_000 }), part: fc.double({ min: 0, max: 1, noNaN: true }) })
  .map(({ sent, part }) => ({ sent, successes: Math.round(sent * part) }))
const variants = fc
  .array(variant, { minLength: 2, maxLength: 8 })
  .map((list) => list.map((each, at): VariantCount => ({ key: "ABCDEFGH"[at] ?? "", ...each })))

describe("The comparison of variants", () => {
  it("finds 360 of 10,000 better than 300, and nothing in a tenth of that", () => {
    const large = compare(pair(300, 360, 10_000), 0.95)
    assert.deepInclude(large, { leader: "B", significant: true })
    assert.deepStrictEqual(
      large.variants.map(({ pValue }) => pValue?.toFixed(4) ?? null),
      ["0.0175", null]
    )
    assert.isFalse(compare(pair(300, 360, 10_000), 0.99).significant)
    const small = compare(pair(30, 36, 1_000), 0.95)
    assert.deepInclude(small, { leader: "B", significant: false })
    assert.strictEqual(small.variants[0]?.pValue?.toFixed(3), "0.453")
  })

  it("says which difference the size could show", () => {
    assert.strictEqual(compare(pair(30, 30, 1_000), 0.95).detectable, 2.14)
    assert.strictEqual(compare(pair(300, 300, 10_000), 0.95).detectable, 0.68)
    assert.isNull(compare(pair(0, 0, 0), 0.95).detectable)
    assert.isNull(compare([], 0.95).detectable)
  })

  it("is never significant with less than 100 mails, or 5 successes or failures", () => {
    for (const [one, other, sent] of [
      [40, 80, 99],
      [4, 200, 1_000],
      [500, 996, 1_000],
      [0, 0, 0]
    ] as const) {
      assert.isFalse(compare(pair(one, other, sent), 0.9).significant)
    }
    assert.isTrue(compare(pair(40, 80, 100), 0.99).significant)
    assert.isFalse(compare(pair(40, 80, 100).slice(0, 1), 0.9).significant)
  })

  it("leads with the first of equal rates", () => {
    assert.deepInclude(compare(pair(50, 50, 1_000), 0.95), { leader: "A", significant: false })
  })

  it("has the tails of the normal distribution", () => {
    fc.assert(
      fc.property(fc.double({ min: -9, max: 9, noNaN: true }), (z) => {
        assert.closeTo(twoSided(z) / tails(z), 1, 1e-8)
      })
    )
    assert.strictEqual(twoSided(0), 1)
    assert.closeTo(twoSided(1.959963984540054), 0.05, 1e-12)
  })

  it("has the intervals, p-values and corrections of a second computation", () => {
    fc.assert(
      fc.property(variants, fc.constantFrom(0.9, 0.95, 0.99), (given, confidence) => {
        const { leader, significant, variants } = compare(given, confidence)
        const best = given.find(({ key }) => key === leader)
        assert.isDefined(best)
        if (best === undefined) return
        const others = given.filter(({ key }) => key !== leader)
        const raw = others.map((each) => tails(Math.sqrt(chiSquare(best, each))))
        const isRefused = refused(raw, 1 - confidence)
        for (const [at, { key }] of others.entries()) {
          const found = variants.find((each) => each.key === key)?.pValue ?? Number.NaN
          // Next to the border, rounding decides.
          if (Math.abs(found - (1 - confidence)) > 1e-6) assert.strictEqual(found < 1 - confidence, isRefused.has(at))
        }
        for (const { rate, low, high, sent } of variants) {
          assert.closeTo(low, border(rate, sent, 0), 1e-9)
          assert.closeTo(high, border(rate, sent, 1), 1e-9)
          assert.isTrue(low <= rate && rate <= high)
        }
        if (significant) assert.strictEqual(isRefused.size, others.length)
      })
    )
  })

  it("finds what 950 of 47,500 are beside 35 of 2,500", () => {
    const found = difference({ sent: 47_500, successes: 950 }, { sent: 2_500, successes: 35 })
    assert.deepStrictEqual(
      [found.difference, found.low, found.high].map((share) => (100 * share).toFixed(2)),
      ["0.60", "0.05", "1.01"]
    )
  })

  it("has the intervals of differences of a second computation", () => {
    fc.assert(
      fc.property(variant, variant, (one, other) => {
        const { difference: between, low, high } = difference(one, other)
        const [rate, otherRate] = [one.successes / one.sent, other.successes / other.sent]
        const reach = (down: number, up: number) => Math.sqrt(down * down + up * up)
        const below = reach(rate - border(rate, one.sent, 0), border(otherRate, other.sent, 1) - otherRate)
        const above = reach(border(rate, one.sent, 1) - rate, otherRate - border(otherRate, other.sent, 0))
        assert.closeTo(between, rate - otherRate, 1e-12)
        assert.closeTo(low, rate - otherRate - below, 1e-9)
        assert.closeTo(high, rate - otherRate + above, 1e-9)
        assert.isTrue(low >= -1 - 1e-9 && high <= 1 + 1e-9)
        const turned = difference(other, one)
        assert.closeTo(turned.low, -high, 1e-12)
      })
    )
  })
})

/**
 * Statistics of experiments and holdouts: which of several rates is the best, and whether the difference is more than
 * chance. Pure.
 *
 * Every rate has its Wilson interval. The other variants are compared with the leader by two-sided z-tests for two
 * proportions with a pooled rate, and their p-values are corrected by Holm's method.
 */

export interface VariantCount {
  readonly key: string
  readonly sent: number
  readonly successes: number
}

export interface VariantResult extends VariantCount {
  /** Fractions from 0 to 1: the rate, and the 95 % interval around it. */
  readonly rate: number
  readonly low: number
  readonly high: number
  /** Against the leader, corrected. Null for the leader. */
  readonly pValue: number | null
}

export interface VariantComparison {
  /** The variant with the highest rate, the first of equal ones. Null without variants. */
  readonly leader: string | null
  readonly significant: boolean
  readonly variants: ReadonlyArray<VariantResult>
  /** The difference in percentage points that this size shows at 0.95 with 80 % power. Null with nothing sent. */
  readonly detectable: number | null
}

const z95 = 1.959963984540054

/** With fewer, the normal approximation is poor. */
const fewestSent = 100
const fewestOutcomes = 5

/** 100 (z for 0.95 + z for 80 % power). */
const detectableFactor = 280.16

/** Abramowitz and Stegun 7.1.6: all terms are positive, so nothing cancels. */
const erfSeries = (x: number): number => {
  let [sum, term] = [x, x]
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= (2 * x * x) / (2 * n + 1)
    sum += term
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum
}

/** Abramowitz and Stegun 7.1.14: a continued fraction, evaluated from the inside. */
const erfcFraction = (x: number): number => {
  let fraction = x
  for (let n = 60; n > 0; n--) fraction = x + n / 2 / fraction
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / fraction
}

/** The probability that a normal variable is at least so far from its mean, in standard deviations. */
export const twoSided = (z: number): number => {
  const x = Math.abs(z) / Math.SQRT2
  return x < 3 ? 1 - erfSeries(x) : erfcFraction(x)
}

type Count = Omit<VariantCount, "key">

const rateOf = ({ sent, successes }: Count): number => (sent === 0 ? 0 : successes / sent)

/** The Wilson score interval. Its ends at 0 and 1 are exact, without what rounding leaves. */
const interval = (variant: Count): { readonly low: number; readonly high: number } => {
  const { sent } = variant
  if (sent === 0) return { low: 0, high: 1 }
  const rate = rateOf(variant)
  const spread = z95 ** 2 / sent
  const center = rate + spread / 2
  const margin = z95 * Math.sqrt((rate * (1 - rate)) / sent + spread / (4 * sent))
  return {
    low: variant.successes === 0 ? 0 : Math.max(0, (center - margin) / (1 + spread)),
    high: variant.successes === sent ? 1 : Math.min(1, (center + margin) / (1 + spread))
  }
}

/** The difference of two rates, with Newcombe's 95 % interval: his method 10, from the Wilson intervals of both. */
export const difference = (
  one: Count,
  other: Count
): { readonly difference: number; readonly low: number; readonly high: number } => {
  const [rate, otherRate] = [rateOf(one), rateOf(other)]
  const [own, others] = [interval(one), interval(other)]
  return {
    difference: rate - otherRate,
    low: rate - otherRate - Math.hypot(rate - own.low, others.high - otherRate),
    high: rate - otherRate + Math.hypot(own.high - rate, otherRate - others.low)
  }
}

const pValue = (one: VariantCount, other: VariantCount): number => {
  if (one.sent === 0 || other.sent === 0) return 1
  const pooled = (one.successes + other.successes) / (one.sent + other.sent)
  const variance = pooled * (1 - pooled) * (1 / one.sent + 1 / other.sent)
  return variance === 0 ? 1 : twoSided((rateOf(one) - rateOf(other)) / Math.sqrt(variance))
}

/** Holm's step-down correction, in the order of the given values. */
const corrected = (values: ReadonlyArray<number>): ReadonlyArray<number> => {
  const order = values.map((value, at) => ({ value, at })).sort((a, b) => a.value - b.value)
  const results = values.map(() => 1)
  let highest = 0
  for (const [rank, { value, at }] of order.entries()) {
    highest = Math.max(highest, Math.min(1, value * (values.length - rank)))
    results[at] = highest
  }
  return results
}

const isEnough = ({ sent, successes }: VariantCount): boolean =>
  sent >= fewestSent && successes >= fewestOutcomes && sent - successes >= fewestOutcomes

const detectableOf = (variants: ReadonlyArray<VariantCount>): number | null => {
  const fewest = Math.min(...variants.map(({ sent }) => sent))
  if (variants.length === 0 || fewest === 0) return null
  const total = variants.reduce((sum, { sent }) => sum + sent, 0)
  const rate = variants.reduce((sum, { successes }) => sum + successes, 0) / total
  return Math.round(detectableFactor * Math.sqrt((2 * rate * (1 - rate)) / fewest) * 100) / 100
}

/** Compares the variants. `confidence` is 0.9, 0.95 or 0.99. */
export const compare = (counts: ReadonlyArray<VariantCount>, confidence: number): VariantComparison => {
  const leader = counts.reduce<VariantCount | undefined>(
    (best, each) => (best === undefined || rateOf(each) > rateOf(best) ? each : best),
    undefined
  )
  const others = counts.filter((each) => each !== leader)
  const pValues = leader === undefined ? [] : corrected(others.map((each) => pValue(leader, each)))
  const byKey = new Map(others.map(({ key }, at) => [key, pValues[at] ?? 1]))
  return {
    leader: leader?.key ?? null,
    significant: others.length > 0 && counts.every(isEnough) && pValues.every((value) => value < 1 - confidence),
    variants: counts.map((each) => ({
      ...each,
      rate: rateOf(each),
      ...interval(each),
      pValue: byKey.get(each.key) ?? null
    })),
    detectable: detectableOf(counts)
  }
}

/** The statistics of the report. Pure. */
import type { Latency } from "./Row.ts"

/** The median with the minimum and the maximum. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

const ascending = (values: Iterable<number>): Float64Array => Float64Array.from(values).sort()

/** The percentile by nearest rank; NaN without values. */
const rank = (sorted: Float64Array, part: number): number =>
  sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN

export const spread = (values: ReadonlyArray<number>): Spread => {
  const sorted = ascending(values)
  const [low = Number.NaN, high = Number.NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return { median: (low + high) / 2, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN }
}

export const latencyOf = (millis: Iterable<number>): Latency => {
  const sorted = ascending(millis)
  return { p50: rank(sorted, 0.5), p95: rank(sorted, 0.95), p99: rank(sorted, 0.99) }
}

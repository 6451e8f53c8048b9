/**
 * The types of a benchmark row.
 *
 * A row is one file in `rows/`: it sets up what it needs and lists its cases. The harness alternates each case with its
 * baselines and computes the statistics.
 */
import type { Effect, Scope } from "effect"
import type { Bench } from "./Bench.ts"
import type { BenchFailure } from "./BenchFailure.ts"

/** The size of one run, as a duration or as a number of items; the run uses the one that fits. */
export interface Effort {
  readonly seconds: number
  readonly mails: number
  /** How long a page is left alone; absent where a row is run by itself: not at all. */
  readonly minutes?: number
}

/** Milliseconds. */
export interface Latency {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/** The result of one run. */
export interface Sample {
  /** In the unit of its case. */
  readonly value: number
  /** User and system time of the measured process for each item; absent if the system does not report it. */
  readonly cpuMillisPerItem?: number | undefined
  readonly latency?: Latency | undefined
  /** The memory of that process at the end of the run. */
  readonly rssMegabytes?: number | undefined
  /** Its peak memory since its start. */
  readonly peakMegabytes?: number | undefined
  /** Further figures, each named with its unit. */
  readonly more?: Readonly<Record<string, number>> | undefined
}

export type Run = (effort: Effort) => Effect.Effect<Sample, BenchFailure, Scope.Scope>

/** Marks the cases of a row that differ in data size, for a plot of cost by size. */
export interface Curve {
  readonly line: string
  /** Contacts or emails. */
  readonly size: number
}

/** One figure of the service, compared with the least that the same work can cost. */
export interface Case {
  readonly name: string
  readonly unit:
    | "requests/s"
    | "mails/s"
    | "notifications/s"
    | "rows/s"
    | "events/s"
    | "transitions/s"
    | "ms"
    | "MB"
    | "bytes"
    | "requests"
    | "CLS"
  readonly target: string
  readonly curve?: Curve
  readonly posthorn: Run
  /** By name. The target refers to the first. */
  readonly baselines: Readonly<Record<string, Run>>
}

export interface Row {
  /** As in the plan: `F1`. */
  readonly id: string
  readonly title: string
  readonly needsPostgres: boolean
  /** What a reader needs to know about the figures: load, settings, what is left out. */
  readonly conditions: ReadonlyArray<string>
  /** Starts what the cases need. All of it ends with the scope. */
  readonly cases: Effect.Effect<ReadonlyArray<Case>, BenchFailure, Bench | Scope.Scope>
}

/**
 * What a row of the measurement plan is made of.
 *
 * A row is one file in `rows/`: it sets up what it needs and names its cases. The harness runs each case beside its
 * baselines, interleaved, and does the arithmetic.
 */
import type { Effect, Scope } from "effect"
import type { Bench } from "./Bench.ts"
import type { BenchFailure } from "./BenchFailure.ts"

/** How much one run does: for as long, or with as many items; the run takes what fits it. */
export interface Effort {
  readonly seconds: number
  readonly mails: number
}

/** Milliseconds. */
export interface Latency {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/** What one run gave. */
export interface Sample {
  /** In the unit of its case. */
  readonly value: number
  /** User and system time of the process that did the work, for each item; not there where the system does not tell. */
  readonly cpuMillisPerItem?: number | undefined
  readonly latency?: Latency | undefined
  /** Of that process, when the run was over. */
  readonly rssMegabytes?: number | undefined
  /** The most it had since its start. */
  readonly peakMegabytes?: number | undefined
  /** Further figures, each named with its unit. */
  readonly more?: Readonly<Record<string, number>> | undefined
}

export type Run = (effort: Effort) => Effect.Effect<Sample, BenchFailure, Scope.Scope>

/** Cases of a row that differ in the size of what they work on, and make a line of what it costs. */
export interface Curve {
  readonly line: string
  /** Contacts, or mails. */
  readonly size: number
}

/** One figure of the service beside what the same work costs at least. */
export interface Case {
  readonly name: string
  readonly unit: "requests/s" | "mails/s" | "notifications/s" | "rows/s" | "events/s" | "transitions/s" | "ms" | "MB"
  readonly target: string
  readonly curve?: Curve
  readonly posthorn: Run
  /** By name; the first is the one that the target means. */
  readonly baselines: Readonly<Record<string, Run>>
}

export interface Row {
  /** As in the plan: `F1`. */
  readonly id: string
  readonly title: string
  readonly needsPostgres: boolean
  /** What somebody must know to read the figures: load, settings, what is left out. */
  readonly conditions: ReadonlyArray<string>
  /** Starts whatever the cases need; all of it ends with the scope. */
  readonly cases: Effect.Effect<ReadonlyArray<Case>, BenchFailure, Bench | Scope.Scope>
}

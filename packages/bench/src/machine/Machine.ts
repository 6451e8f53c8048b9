/** The machine of a run, so that runs can be compared. */
import { availableParallelism, cpus, loadavg, release, type as systemName, totalmem } from "node:os"
import { Effect } from "effect"
import { machineTicks } from "./ProcessTimes.ts"

export interface Machine {
  readonly cores: number
  readonly processor: string
  readonly memoryGigabytes: number
  readonly system: string
  readonly node: string
  /** Over 1, 5 and 15 minutes, before anything was started. */
  readonly loadAverage: ReadonlyArray<number>
  /** Name and value; undefined if no server answers. */
  readonly postgres: Readonly<Record<string, string>> | undefined
}

export const describe = (postgres: Machine["postgres"]): Machine => ({
  cores: availableParallelism(),
  processor: cpus()[0]?.model.trim() ?? "unknown",
  memoryGigabytes: Math.round(totalmem() / 1024 ** 3),
  system: `${systemName()} ${release()}`,
  node: process.version,
  loadAverage: loadavg(),
  postgres
})

/** The load of the machine during a run, in percent of all its processors. */
export interface Surroundings {
  readonly busyPercent: number
  readonly stealPercent: number
}

/** Runs an effect and returns the load of the machine meanwhile; undefined if the system does not report it. */
export const observed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* machineTicks
    const result = yield* effect
    const after = yield* machineTicks
    if (before === undefined || after === undefined) return { result, surroundings: undefined }
    const percent = (ticks: number) => (100 * ticks) / Math.max(1, after.all - before.all)
    const surroundings: Surroundings = {
      busyPercent: 100 - percent(after.idle - before.idle),
      stealPercent: percent(after.steal - before.steal)
    }
    return { result, surroundings }
  })

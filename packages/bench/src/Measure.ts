/** Runs rows. Every case alternates with its baselines, so that other load on the machine slows both. */
import { loadavg } from "node:os"
import { Cause, Console, Effect, Exit, Record } from "effect"
import { Bench } from "./Bench.ts"
import type { BenchFailure } from "./BenchFailure.ts"
import { observed, type Surroundings } from "./machine/Machine.ts"
import type { Case, Effort, Row, Run, Sample } from "./Row.ts"
import { type Spread, spread } from "./Statistics.ts"

export interface Plan {
  readonly rounds: number
  /** Of each measured run. */
  readonly effort: Effort
  /** Of the warm-up run before them, which is not measured. */
  readonly warmUp: Effort
}

export interface Measured extends Sample {
  /** The load of the whole machine during the run. */
  readonly surroundings: Surroundings | undefined
}

export interface MeasuredCase extends Pick<Case, "name" | "unit" | "target" | "curve"> {
  /** One for each round. */
  readonly posthorn: ReadonlyArray<Measured>
  readonly baselines: Readonly<Record<string, ReadonlyArray<Measured>>>
  /** Posthorn relative to the baseline, by round. */
  readonly ratios: Readonly<Record<string, Spread>>
}

export interface MeasuredRow extends Pick<Row, "id" | "title" | "conditions"> {
  /** Over the last minute, before the row was set up. */
  readonly loadAverage: number
  readonly cases: ReadonlyArray<MeasuredCase>
  /** Why there are no figures. */
  readonly skipped?: string
  readonly failed?: string
}

const progress = (row: Row, one: Case, who: string, what: string) =>
  Console.error(`${row.id} ${one.name}, ${who}: ${what}`)

const runOnce = Effect.fnUntraced(function* (run: Run, effort: Effort): Effect.fn.Return<Measured, BenchFailure> {
  const { result, surroundings } = yield* observed(Effect.scoped(run(effort)))
  return { ...result, surroundings }
})

const measureCase = Effect.fnUntraced(function* (row: Row, one: Case, plan: Plan) {
  const contenders: ReadonlyArray<readonly [string, Run]> = [
    ["Posthorn", one.posthorn],
    ...Object.entries(one.baselines)
  ]
  for (const [who, run] of contenders) {
    yield* progress(row, one, who, "warm-up")
    yield* runOnce(run, plan.warmUp)
  }
  const samples = new Map<string, Array<Measured>>(contenders.map(([who]) => [who, []]))
  for (let round = 1; round <= plan.rounds; round++) {
    for (const [who, run] of contenders) {
      const sample = yield* runOnce(run, plan.effort)
      samples.get(who)?.push(sample)
      yield* progress(row, one, who, `round ${round}: ${sample.value.toFixed(1)} ${one.unit}`)
    }
  }
  const posthorn = samples.get("Posthorn") ?? []
  const baselines = Record.map(one.baselines, (_, who) => samples.get(who) ?? [])
  const ratios = Record.map(baselines, (theirs) =>
    spread(theirs.map(({ value }, round) => (posthorn[round]?.value ?? Number.NaN) / value))
  )
  const { curve, name, target, unit } = one
  return { name, unit, target, ...(curve && { curve }), posthorn, baselines, ratios } satisfies MeasuredCase
})

const measured = Effect.fnUntraced(function* (row: Row, plan: Plan) {
  yield* Console.error(`${row.id}: setting up`)
  const cases = yield* row.cases
  return yield* Effect.forEach(cases, (one) => measureCase(row, one, plan))
}, Effect.scoped)

/** A row that fails reports its failure and does not affect the others. */
export const measureRow = Effect.fnUntraced(function* (
  row: Row,
  plan: Plan
): Effect.fn.Return<MeasuredRow, never, Bench> {
  const { conditions, id, title } = row
  const about = { id, title, conditions, loadAverage: loadavg()[0] ?? Number.NaN, cases: [] }
  const { postgres } = yield* Bench
  if (row.needsPostgres && postgres === undefined) {
    return { ...about, skipped: "no PostgreSQL server answers (POSTHORN_TEST_DATABASE_URL, or 127.0.0.1:5432)" }
  }
  const exit = yield* Effect.exit(measured(row, plan))
  if (Exit.isSuccess(exit)) return { ...about, cases: exit.value }
  if (Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.interrupt
  yield* Console.error(Cause.pretty(exit.cause))
  const error = Cause.squash(exit.cause)
  return { ...about, failed: error instanceof Error ? error.message : String(error) }
})

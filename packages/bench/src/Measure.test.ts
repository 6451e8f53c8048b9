import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Bench } from "./Bench.ts"
import { BenchFailure } from "./BenchFailure.ts"
import { measureRow } from "./Measure.ts"
import type { Row, Run } from "./Row.ts"

const plan = { rounds: 3, effort: { seconds: 2, mails: 20 }, warmUp: { seconds: 1, mails: 10 } }
const unasked = Effect.die("no row here asks for it")
const bench = {
  postgres: undefined,
  folder: "",
  program: unasked,
  profiles: undefined,
  audienceSizes: [],
  audience: unasked,
  mail: unasked,
  console: unasked
}

const row = (posthorn: Run, baseline: Run): Row => ({
  id: "X1",
  title: "an example",
  needsPostgres: false,
  conditions: [],
  cases: Effect.succeed([{ name: "only", unit: "ms", target: "<= 1", posthorn, baselines: { raw: baseline } }])
})

const measured = (row: Row) => Effect.provideService(measureRow(row, plan), Bench, bench)

describe("a row", () => {
  it.effect("runs Posthorn and its baseline in turn, after a warm-up of each that does not count", () =>
    Effect.gen(function* () {
      const runs: Array<string> = []
      const run =
        (who: string, value: number): Run =>
        ({ seconds }) =>
          Effect.sync(() => {
            runs.push(`${who} ${seconds}`)
            return { value: value * runs.length }
          })
      const { cases } = yield* measured(row(run("A", 1), run("B", 2)))
      assert.deepStrictEqual(runs, ["A 1", "B 1", "A 2", "B 2", "A 2", "B 2", "A 2", "B 2"])
      assert.deepStrictEqual(
        cases[0]?.posthorn.map(({ value }) => value),
        [3, 5, 7]
      )
    })
  )

  it.effect("compares each round with the baseline of the same round", () =>
    Effect.gen(function* () {
      let slowness = 1
      const run =
        (value: number): Run =>
        () =>
          Effect.sync(() => ({ value: value / slowness }))
      const slower: Run = (effort) =>
        Effect.ensuring(
          run(100)(effort),
          Effect.sync(() => slowness++)
        )
      const { cases } = yield* measured(row(run(50), slower))
      assert.deepStrictEqual(cases[0]?.ratios["raw"], { median: 0.5, min: 0.5, max: 0.5 })
    })
  )

  it.effect("says why it has no figures", () =>
    Effect.gen(function* () {
      const broken: Run = () => Effect.fail(new BenchFailure({ message: "the peer is gone" }))
      assert.strictEqual((yield* measured(row(broken, broken))).failed, "the peer is gone")
      const onPostgres = { ...row(broken, broken), needsPostgres: true }
      assert.match((yield* measured(onPostgres)).skipped ?? "", /no PostgreSQL server/)
    })
  )
})

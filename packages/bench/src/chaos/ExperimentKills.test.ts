/** Workers die at the decision of an experiment. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as ExperimentKills from "./ExperimentKills.ts"
import { installation, live } from "./OnPostgres.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `an experiment has one winner, whenever the worker dies that decides it (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* ExperimentKills.kills({ seed, contacts: 200, kills: 3 })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 1 }))),
  300_000
)

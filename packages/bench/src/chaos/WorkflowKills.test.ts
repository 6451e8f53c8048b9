/** Workers die while contacts go through a workflow. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { installation, live } from "./OnPostgres.ts"
import * as WorkflowKills from "./WorkflowKills.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `kill -9 of workers during a workflow has one effect for each execution, step and visit (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* WorkflowKills.kills({ seed, contacts: 200, workers: 2, kills: 2 })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 1 }))),
  240_000
)

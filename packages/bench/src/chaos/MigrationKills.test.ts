/** Workers die during a migration of executions. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as MigrationKills from "./MigrationKills.ts"
import { installation, live } from "./OnPostgres.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `an execution is moved to another version once, whenever the worker dies (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* MigrationKills.kills({ seed, executions: 2_000, kills: 3 })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 1 }))),
  240_000
)

/** All workers die while a provider is slowed down. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { installation, live } from "./OnPostgres.ts"
import * as ShapingKills from "./ShapingKills.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `kill -9 of all workers keeps the level of a provider that asks for less mail (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* ShapingKills.kills({ seed, contacts: 200, workers: 2, kills: 1 })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 1 }))),
  240_000
)

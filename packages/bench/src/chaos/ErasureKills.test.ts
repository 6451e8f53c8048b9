/** Processes that die while recipients are erased. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as ErasureKills from "./ErasureKills.ts"
import { installation, live } from "./OnPostgres.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `a recipient is erased once, whenever the process dies that takes the confirmation (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* ErasureKills.kills({ seed, kills: 2 })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 1 }))),
  240_000
)

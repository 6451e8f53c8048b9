/** Workers die during a warm-up. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { installation, live } from "./OnPostgres.ts"
import * as WarmupKills from "./WarmupKills.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `kill -9 of workers during a warm-up exceeds no cap, and loses no mail of the day (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { figures, violations } = yield* WarmupKills.kills({ seed, contacts: 600, workers: 3, kills: 3 })
      assert.deepStrictEqual(violations, [])
      assert.deepStrictEqual(figures, { cap: 300, "over the cap": 0 })
    }).pipe(Effect.provide(installation({ projects: 1 }))),
  240_000
)

/** Wall clocks of servers jump. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as ClockJumps from "./ClockJumps.ts"
import { installation, live } from "./OnPostgres.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `wall clocks that jump an hour lose and copy no mail, and start no campaign early (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* ClockJumps.jumps({ seed, mails: 200, workers: 2, jumps: 4 })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 4 }))),
  240_000
)

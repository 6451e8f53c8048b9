/** Workers end at random moments under load. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { installation, live } from "../../../../packages/bench/src/chaos/OnPostgres.ts"
import * as RandomEnds from "../../../../packages/bench/src/chaos/RandomEnds.ts"

/** A run is repeated by writing its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `kill -9 of workers under load loses nothing, and copies at most what was on the wire (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const found = yield* RandomEnds.kills({ seed, mails: 500, workers: 2, ends: 5 })
      console.log(found)
      assert.deepStrictEqual(found.violations, [])
      assert.isAbove(found.bound, 0, "kills met mails in flight")
    }).pipe(Effect.provide(installation({ projects: 4 }))),
  180_000
)

live(
  `SIGTERM of workers under load loses nothing and copies nothing (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const found = yield* RandomEnds.restarts({ seed, mails: 300, workers: 2, ends: 3 })
      console.log(found)
      assert.deepStrictEqual(found.violations, [])
      assert.deepStrictEqual(found.stopped, Array(3).fill({ exit: 0, inFlight: 0 }))
      assert.strictEqual(found.ambiguous, 0, "no try was left without its result")
    }).pipe(Effect.provide(installation({ projects: 4 }))),
  180_000
)

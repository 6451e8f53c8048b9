/** A folder of the embedded database after an abrupt stop. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as PowerCut from "./PowerCut.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

it.live(
  `a copy of a running embedded database opens complete, or is refused with a reason (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* Effect.scoped(PowerCut.cuts({ seed, cuts: 1 }))
      assert.deepStrictEqual(violations, [])
    }),
  240_000
)

/** DNS servers fail and recover. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as FlappingDns from "./FlappingDns.ts"
import { installation, live } from "./OnPostgres.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `a verified domain stays verified while DNS servers fail, until three negative answers (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* FlappingDns.flaps({ seed, flaps: 2 })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 1 }))),
  240_000
)

/** Many simultaneous requests. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as KeyStorms from "./KeyStorms.ts"
import { installation, live } from "./OnPostgres.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `many requests with one key have one effect, and conflicting ones are answered or asked to try again (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* KeyStorms.rage({ seed, storms: 2 })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 2 }))),
  240_000
)

/** kill -9 in each window of an email's life. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { installation, live } from "./OnPostgres.ts"
import * as Windows from "./Windows.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `kill -9 in each of the eight windows has the listed result, and the listed number of copies (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* Windows.kills({ seed, rounds: 1 })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 1 }))),
  240_000
)

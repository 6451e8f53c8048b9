/** The connection to the database is slow or stalls. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { installation, live } from "./OnPostgres.ts"
import * as SlowDatabase from "./SlowDatabase.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `while the database does not answer, requests are refused, and later nothing is lost or copied (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* SlowDatabase.stalls({ seed, mails: 200, workers: 1, stalls: 2 })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 4 }))),
  240_000
)

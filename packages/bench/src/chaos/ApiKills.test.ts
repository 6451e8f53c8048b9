/** kill -9 of the API while mail is handed over. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as ApiKills from "./ApiKills.ts"
import { installation, live } from "./OnPostgres.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))
const options = { seed, mails: 60, kills: 3 }

live(
  `kill -9 around the commits of batches: a repetition with replay sends each item once (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { accepted, violations } = yield* ApiKills.ofBatches(options)
      assert.deepStrictEqual(violations, [])
      assert.isAtLeast(accepted, options.mails)
    }).pipe(Effect.provide(installation({ projects: 2 }))),
  240_000
)

live(
  `kill -9 around the final dots of submissions: a client's repetition creates no copy (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { accepted, violations } = yield* ApiKills.ofSubmissions(options)
      assert.deepStrictEqual(violations, [])
      assert.isAtLeast(accepted, options.mails)
    }).pipe(Effect.provide(installation({ projects: 2 }))),
  240_000
)

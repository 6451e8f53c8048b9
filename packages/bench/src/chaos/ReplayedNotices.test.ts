/** Delivery reports arrive three times and in any order. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { installation, live } from "./OnPostgres.ts"
import * as ReplayedNotices from "./ReplayedNotices.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `reports that arrive three times in any order have the effect of reports that arrive once in order (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* ReplayedNotices.replay({ seed, mails: 150 })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 2 }))),
  240_000
)

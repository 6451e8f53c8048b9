/** kill -9 of workers at due seconds. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as DueKills from "./DueKills.ts"
import { installation, live } from "./OnPostgres.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `kill -9 of a worker at the second at which mail is due loses no mail, and sends none early (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { accepted, violations } = yield* DueKills.kills({ seed, workers: 2, kills: 3, mails: 30 })
      assert.deepStrictEqual(violations, [])
      assert.strictEqual(accepted, 90)
    }).pipe(Effect.provide(installation({ projects: 2 }))),
  240_000
)

/** Many logins. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as LoginFlood from "./LoginFlood.ts"
import { installation, live } from "./OnPostgres.ts"

live(
  "logins from many networks take no place of others: each gets 401, or 503 at once",
  () =>
    Effect.gen(function* () {
      // Times say little beside other tests. This test requires that every other request is answered.
      const options = { logins: 300, rounds: 1, seconds: 4, perSecond: 25, most: Number.POSITIVE_INFINITY }
      const { disturbances, violations } = yield* LoginFlood.rage(options)
      assert.deepStrictEqual(violations, [])
      const { "401": refused = 0, "503": full = 0, ...others } = disturbances[0] ?? {}
      assert.deepStrictEqual(others, {})
      assert.isAbove(refused, 0)
      assert.isAbove(full, 0)
      assert.strictEqual(refused + full, 1_200)
    }).pipe(Effect.provide(installation({ projects: 2 }))),
  120_000
)

/** Sockets whose body never arrives. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { installation, live } from "./OnPostgres.ts"
import * as SlowSockets from "./SlowSockets.ts"

live(
  "510 sockets with an unfinished body take no place of others, and are closed in time",
  () =>
    Effect.gen(function* () {
      // Times say little beside other tests. This test requires that every request is answered.
      const options = { sockets: 510, rounds: 1, seconds: 12, perSecond: 50, most: Number.POSITIVE_INFINITY }
      const { disturbances, violations } = yield* SlowSockets.hang(options)
      assert.deepStrictEqual(violations, [])
      assert.isAtLeast(disturbances[0]?.["408"] ?? 0, 510)
    }).pipe(Effect.provide(installation({ projects: 2 }))),
  120_000
)

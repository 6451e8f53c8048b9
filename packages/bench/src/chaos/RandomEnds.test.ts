/** Workers end at random moments under load. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { installation, live } from "./OnPostgres.ts"
import * as RandomEnds from "./RandomEnds.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `kill -9 of workers under load loses no mail, and makes at most as many copies as mails were in flight (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { bound, violations } = yield* RandomEnds.kills({ seed, mails: 500, workers: 2, ends: 5 })
      assert.deepStrictEqual(violations, [])
      assert.isAbove(bound, 0, "there were mails on the wire")
    }).pipe(Effect.provide(installation({ projects: 4 }))),
  180_000
)

live(
  `SIGTERM of workers under load loses and copies no mail (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* RandomEnds.restarts({ seed, mails: 200, workers: 2, ends: 2 })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 4 }))),
  180_000
)

/** Workers that die during a bulk job. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as BulkKills from "./BulkKills.ts"
import { installation, live } from "./OnPostgres.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `a job changes each contact once, whenever its workers die (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* BulkKills.kills({ seed, contacts: 5_000, kills: 4 })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 1 }))),
  900_000
)

/** Processes that die within changes of consent. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as ConsentKills from "./ConsentKills.ts"
import { installation, live } from "./OnPostgres.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `state, records and events agree, whenever the process dies that changes consent (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* ConsentKills.kills({ seed, rounds: 1 })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 1 }))),
  900_000
)

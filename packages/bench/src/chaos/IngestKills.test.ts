/** Libraries of others send events to a server that dies. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as IngestKills from "./IngestKills.ts"
import { installation, live } from "./OnPostgres.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `libraries lose no event and repeat none, whenever the API dies (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { figures, violations } = yield* IngestKills.kills({ seed, kills: 3 })
      assert.deepStrictEqual(violations, [])
      assert.deepStrictEqual(figures, { "events acknowledged": 180, "events stored": 180 })
    }).pipe(Effect.provide(installation({ projects: 1 }))),
  900_000
)

/** `kill -9` while a server creates its tables. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect, Scope } from "effect"
import * as KilledMigrations from "./KilledMigrations.ts"
import { empty, live } from "./OnPostgres.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `a start that is killed while it creates its tables does not affect the next one (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const database = () => Effect.provideService(empty, Scope.Scope, scope)
      const { accepted, violations } = yield* KilledMigrations.kills({ seed, kills: 2, database })
      assert.deepStrictEqual(violations, [])
      assert.isAtLeast(accepted, 2)
    }),
  240_000
)

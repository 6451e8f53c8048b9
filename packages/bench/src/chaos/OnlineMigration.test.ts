/** Workers die while a migration goes on in the background. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect, Scope } from "effect"
import * as OnlineMigration from "./OnlineMigration.ts"
import { empty, live } from "./OnPostgres.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `a migration that is killed in its background goes on there, while mails are sent (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const database = () => Effect.provideService(empty, Scope.Scope, scope)
      const most = Number.POSITIVE_INFINITY
      const { accepted, violations } = yield* OnlineMigration.kills({ seed, rows: 4_000, kills: 4, most, database })
      assert.deepStrictEqual(violations, [])
      assert.isAtLeast(accepted, 100)
    }),
  480_000
)

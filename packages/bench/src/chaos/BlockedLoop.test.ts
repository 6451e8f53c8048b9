import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as BlockedLoop from "./BlockedLoop.ts"
import { installation, live } from "./OnPostgres.ts"

live(
  "a worker whose event loop is held up keeps its lease and its mails, and sends them once",
  () =>
    Effect.gen(function* () {
      // One renewal is due before the lease ends. Without it, another worker would take the emails five seconds later.
      const { violations } = yield* BlockedLoop.block({ mails: 20, seconds: 20, left: 11 })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 1 }))),
  120_000
)

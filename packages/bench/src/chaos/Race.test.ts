import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { installation, live } from "./OnPostgres.ts"
import * as Race from "./Race.ts"

live(
  "two workers race for 500 mails: none is taken from the worker that holds it, each is tried once and delivered once",
  () =>
    Effect.gen(function* () {
      const { raced, violations, delivered } = yield* Race.race({ mails: 500, workers: 2 })
      assert.deepStrictEqual(violations, [])
      assert.strictEqual(delivered, 500)
      assert.isTrue(raced, "both had mails on the wire at the same time")
    }).pipe(Effect.provide(installation({ projects: 3 }))),
  120_000
)

/** The transport of a project fails. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { installation, live } from "./OnPostgres.ts"
import * as SlowTransports from "./SlowTransports.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `a project's transport that hangs, refuses or gives wrong replies delays only its own mail, and gets it once (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      // A busy machine delays single mails by a second.
      const { violations } = yield* SlowTransports.run({
        ...{ seed, faults: 4, mails: 20, others: 20, most: 1.3, slack: 2_500 }
      })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 2 }))),
  240_000
)

/** Many large requests at once. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as LargeBodies from "./LargeBodies.ts"
import { installation, isThere } from "./OnPostgres.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

const isMeasured = Effect.runSync(LargeBodies.isMeasured)
if (!isMeasured) console.warn("\nSKIPPED: memory under large requests. This system has no /proc to read it from.\n")

it.live.skipIf(!isThere || !isMeasured)(
  `many large requests are accepted, refused or asked to try again, within bounded memory (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* LargeBodies.crowd({ seed, crowds: 1 })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 1 }))),
  300_000
)

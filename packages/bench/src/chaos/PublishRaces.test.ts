/** Two processes publish one template. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { installation, live } from "./OnPostgres.ts"
import * as PublishRaces from "./PublishRaces.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `of two processes that publish one draft at once, one creates the next version (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { answers, violations } = yield* PublishRaces.race({ seed, races: 3 })
      assert.deepStrictEqual(violations, [])
      assert.strictEqual(answers["200"], 3)
    }).pipe(Effect.provide(installation({ projects: 1 }))),
  240_000
)

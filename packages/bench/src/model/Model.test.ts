/**
 * Random commands against the service and a model of its promises (fault matrix F30). A failure is shrunk, and printed
 * with the seed and the path that repeat it: `npm run model -- --seed 7 --path 3:1 --replay Ab:c`.
 */
import { layer } from "@effect/vitest"
import { databases } from "@posthorn/core/testing/Databases"
import { Effect } from "effect"
import fc from "fast-check"
import * as Installation from "./Installation.ts"
import { property } from "./Runs.ts"

const given = process.env
const runs = Number(given["MODEL_RUNS"] ?? 3)
/** The same runs each time, unless others are requested. */
const seed = Number(given["MODEL_SEED"] ?? 11)

for (const [name, database] of databases()) {
  layer(Installation.outside(database), { timeout: "60 seconds", excludeTestServices: false })(
    `Whatever happens, on ${name}`,
    (it) => {
      it.effect(
        `the service is as the model says (seed ${seed})`,
        () =>
          Effect.gen(function* () {
            const once = yield* property({ most: 60, replayPath: given["MODEL_REPLAY"] })
            const path = given["MODEL_PATH"]
            yield* Effect.promise(() => fc.assert(once, { numRuns: runs, seed, ...(path !== undefined && { path }) }))
          }),
        { timeout: 3_600_000 }
      )
    }
  )
}

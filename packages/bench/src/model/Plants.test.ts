/**
 * Whether a fault in each rule of consent is found. The model forgets the rule, and the service, which follows it, differs.
 * A service that broke the rule would differ from the whole model in the same commands.
 *
 * Each rule has a short course. `npm run model -- --plants` draws the commands instead.
 */
import { assert, layer } from "@effect/vitest"
import { databases } from "@posthorn/core/testing/Databases"
import { Effect } from "effect"
import fc from "fast-check"
import { courses } from "./Courses.ts"
import { rules } from "./Expected.ts"
import * as Installation from "./Installation.ts"
import { differs, property } from "./Runs.ts"

const given = process.env
const isDrawn = given["MODEL_PLANTS"] !== undefined
const runs = Number(given["MODEL_RUNS"] ?? 100)
const seed = Number(given["MODEL_SEED"] ?? 11)

/** The rules do not depend on the database. */
for (const [name, database] of databases().slice(0, 1)) {
  layer(Installation.outside(database), { timeout: "60 seconds", excludeTestServices: false })(
    `A fault is found, on ${name}`,
    (it) => {
      it.effect.each([...rules])(
        "in the rule: %s",
        (rule) =>
          Effect.gen(function* () {
            if (isDrawn) {
              const once = yield* property({ most: 60, forgotten: rule })
              const found = yield* Effect.promise(() => fc.check(once, { numRuns: runs, seed, endOnFailure: true }))
              console.log(`${rule}: ${found.failed ? `found after ${found.numRuns} runs` : "not found"}`)
              assert.isTrue(found.failed)
            } else {
              assert.isFalse(yield* differs(courses[rule]), "the whole model")
              assert.isTrue(yield* differs(courses[rule], rule))
            }
          }),
        3_600_000
      )
    }
  )
}

/**
 * Random commands against the service and a model of its promises (fault matrix F30). A failure is shrunk, and printed
 * with the seed and the path that repeat it: `npm run model -- --seed 7 --path 3:1 --replay Ab:c`.
 */
import { layer } from "@effect/vitest"
import { databases } from "@posthorn/core/testing/Databases"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { begin, commands, end, type Real } from "./Commands.ts"
import { Expected } from "./Expected.ts"
import * as Installation from "./Installation.ts"
import * as Project from "./Project.ts"

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
            yield* TestClock.setTime(Date.UTC(2026, 10, 20, 15))
            const context = yield* Effect.context<Layer.Success<ReturnType<typeof Installation.outside>>>()
            const promise = Effect.runPromiseWith(context)
            const once = fc.asyncProperty(commands(60, given["MODEL_REPLAY"]), (commands) =>
              promise(
                Effect.scoped(
                  Effect.gen(function* () {
                    const model = new Expected()
                    const installation = yield* Installation.make(model.treatments)
                    const real: Real = { installation, promise, project: yield* installation.run(Project.make) }
                    yield* Effect.promise(() => begin(model, real))
                    yield* Effect.promise(() => fc.asyncModelRun(() => ({ model, real }), commands))
                    yield* Effect.promise(() => end(model, real))
                  })
                )
              )
            )
            const path = given["MODEL_PATH"]
            yield* Effect.promise(() => fc.assert(once, { numRuns: runs, seed, ...(path !== undefined && { path }) }))
          }),
        { timeout: 3_600_000 }
      )
    }
  )
}

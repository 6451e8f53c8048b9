import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Tracer } from "effect"
import { TestClock } from "effect/testing"
import { databases } from "../testing/Databases.ts"
import { servicesOn } from "../testing/Services.ts"
import * as Statements from "../testing/Statements.ts"
import { wireOver } from "../testing/TestClient.ts"
import * as Worker from "./Worker.ts"

/** Advances the test clock, and gives the database real time to answer. */
const pass = (seconds: number) =>
  Effect.repeat(Effect.andThen(TestClock.adjust("250 millis"), TestClock.withLive(Effect.sleep("10 millis"))), {
    times: seconds * 4 - 1
  })

for (const [name, database] of databases()) {
  const counted = Statements.counter()
  const worker = Layer.provideMerge(Worker.layer, wireOver(servicesOn(database))).pipe(
    Layer.provideMerge(Layer.succeed(Tracer.Tracer, counted.tracer))
  )

  layer(worker, { timeout: "60 seconds" })(`An idle worker on ${name}`, (it) => {
    it.effect("asks the database for all loops together", () =>
      Effect.gen(function* () {
        // Each periodic job runs once.
        yield* pass(40)
        const before = counted.count()
        yield* pass(30)
        const statements = counted.count() - before
        // One a second for the loops, and the rest for periodic jobs, of which some run every few seconds, and for the lease.
        assert.isAtLeast(statements, 30)
        assert.isAtMost(statements, 100)
      })
    )
  })
}

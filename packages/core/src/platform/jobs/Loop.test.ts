import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { keepRunning, runLoop } from "./Loop.ts"

/** Gives other fibers their turns. */
const turns = Effect.repeat(Effect.yieldNow, { times: 20 })

describe("Loop", () => {
  it.effect("continues a second after a step that dies", () =>
    Effect.gen(function* () {
      let steps = 0
      const step = Effect.suspend(() => (++steps <= 3 ? Effect.die(new Error("storage is away")) : Effect.never))
      yield* Effect.forkScoped(keepRunning("Work", step), { startImmediately: true })
      for (const expected of [1, 2, 3, 4, 4]) {
        assert.strictEqual(steps, expected)
        yield* TestClock.adjust("1 second")
      }
    })
  )

  it.effect("rests only when there is no more to do", () =>
    Effect.gen(function* () {
      let steps = 0
      const step = Effect.sync(() => ++steps % 3 !== 0)
      yield* Effect.forkScoped(runLoop("Work", step, Effect.sleep("1 minute")), { startImmediately: true })
      yield* turns
      assert.strictEqual(steps, 3)
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(steps, 3)
      yield* TestClock.adjust("1 second")
      yield* turns
      assert.strictEqual(steps, 6)
    })
  )
})

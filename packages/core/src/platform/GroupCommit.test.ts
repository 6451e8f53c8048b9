import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Latch, Scope } from "effect"
import { TestClock } from "effect/testing"
import * as GroupCommit from "./GroupCommit.ts"

/** A store that counts tries, and writes nothing while the latch is closed. */
const makeStore = Effect.gen(function* () {
  const latch = yield* Latch.make(true)
  const tries: Array<ReadonlyArray<number>> = []
  let isAway = false
  return {
    latch,
    tries,
    setAway: (away: boolean) => {
      isAway = away
    },
    write: (items: ReadonlyArray<number>) =>
      Effect.gen(function* () {
        tries.push(items)
        yield* latch.await
        if (isAway) return yield* Effect.die(new Error("storage is away"))
        return (item: number) => `${item} of ${items.length}`
      })
  }
})

const failed = "Items cannot be stored yet"

describe("GroupCommit", () => {
  it.effect("shares a write between the items that wait, and answers each", () =>
    Effect.gen(function* () {
      const { latch, tries, write } = yield* makeStore
      const store = yield* GroupCommit.make({ write, failed })
      yield* latch.close
      const first = yield* Effect.forkChild(store(1), { startImmediately: true })
      while (tries.length === 0) yield* Effect.yieldNow
      const others = yield* Effect.forkChild(Effect.forEach([2, 3, 4], store, { concurrency: 3 }), {
        startImmediately: true
      })
      yield* Effect.yieldNow
      assert.deepEqual(tries, [[1]])
      yield* latch.open
      assert.strictEqual(yield* Fiber.join(first), "1 of 1")
      assert.deepEqual(yield* Fiber.join(others), ["2 of 3", "3 of 3", "4 of 3"])
      assert.deepEqual(tries, [[1], [2, 3, 4]])
    })
  )

  it.effect("repeats a write until storage is back, with pauses of a second at most", () =>
    Effect.gen(function* () {
      const { tries, setAway, write } = yield* makeStore
      setAway(true)
      const store = yield* GroupCommit.make({ write, failed })
      const stored = yield* Effect.forkChild(store(1), { startImmediately: true })
      yield* TestClock.adjust("10 seconds")
      // 50, 100, 200, 400 and 800 milliseconds, then every second.
      assert.strictEqual(tries.length, 1 + 5 + 8)
      setAway(false)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(stored), "1 of 1")
      assert.strictEqual(tries.length, 1 + 5 + 9)
    })
  )

  it.effect("writes as many batches at a time as there are writers, of 500 items at most", () =>
    Effect.gen(function* () {
      const { latch, tries, write } = yield* makeStore
      const store = yield* GroupCommit.make({ write, failed, writers: 2 })
      yield* latch.close
      const items = Array.from({ length: 1_200 }, (_, n) => n)
      const stored = yield* Effect.forkChild(Effect.forEach(items, store, { concurrency: "unbounded" }), {
        startImmediately: true
      })
      while (tries.length < 2) yield* Effect.yieldNow
      for (let n = 0; n < 10; n++) yield* Effect.yieldNow
      assert.strictEqual(tries.length, 2)
      yield* latch.open
      yield* Fiber.join(stored)
      assert.isTrue(tries.every((batch) => batch.length <= 500))
      assert.deepEqual(
        tries.flat().toSorted((a, b) => a - b),
        items
      )
    })
  )

  it.effect("refuses an item at once when too many wait", () =>
    Effect.gen(function* () {
      const { latch, tries, write } = yield* makeStore
      yield* latch.close
      const refused = yield* Deferred.make<void>()
      const refuse = Effect.as(Deferred.succeed(refused, undefined), "refused")
      const store = yield* GroupCommit.make({ write, failed, limit: { waiting: 2, refuse } })
      const first = yield* Effect.forkChild(store(1), { startImmediately: true })
      while (tries.length === 0) yield* Effect.yieldNow
      const waiting = yield* Effect.forkChild(Effect.forEach([2, 3], store, { concurrency: 2 }), {
        startImmediately: true
      })
      assert.strictEqual(yield* store(4), "refused")
      assert.isTrue(yield* Deferred.isDone(refused))
      yield* latch.open
      assert.strictEqual(yield* Fiber.join(first), "1 of 1")
      assert.deepEqual(yield* Fiber.join(waiting), ["2 of 2", "3 of 2"])
      assert.deepEqual(tries, [[1], [2, 3]])
    })
  )

  it.effect("interrupts the items that wait when its scope closes, and those that come later", () =>
    Effect.gen(function* () {
      const { latch, tries, write } = yield* makeStore
      yield* latch.close
      const scope = yield* Scope.make()
      const store = yield* Scope.provide(GroupCommit.make({ write, failed }), scope)
      const waiting = yield* Effect.forEach([1, 2, 3], (item) =>
        Effect.forkChild(store(item), { startImmediately: true })
      )
      while (tries.length === 0) yield* Effect.yieldNow
      yield* Scope.close(scope, Exit.void)
      for (const exit of yield* Effect.forEach([...waiting, yield* Effect.forkChild(store(4))], Fiber.await)) {
        assert.isTrue(Exit.hasInterrupts(exit))
      }
    })
  )
})

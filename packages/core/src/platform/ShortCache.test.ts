import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as ShortCache from "./ShortCache.ts"

describe("ShortCache", () => {
  it.effect("looks a value up once in a second, counted from before the look-up", () =>
    Effect.gen(function* () {
      let lookUps = 0
      const cache = ShortCache.make(() =>
        Effect.delay(
          Effect.sync(() => ++lookUps),
          "400 millis"
        )
      )
      const get = cache.get("key")
      const first = yield* Effect.forkChild(get, { startImmediately: true })
      yield* TestClock.adjust("400 millis")
      assert.strictEqual(yield* Fiber.join(first), 1)
      yield* TestClock.adjust("599 millis")
      assert.strictEqual(yield* get, 1)
      yield* TestClock.adjust("1 millis")
      const second = yield* Effect.forkChild(get, { startImmediately: true })
      yield* TestClock.adjust("400 millis")
      assert.strictEqual(yield* Fiber.join(second), 2)
    })
  )

  it.effect("keeps keys apart, caches no failure, and forgets a key or all", () =>
    Effect.gen(function* () {
      const values = new Map([["b", 2]])
      const cache = ShortCache.make((key: string) => Effect.fromNullishOr(values.get(key)))
      yield* Effect.flip(cache.get("a"))
      values.set("a", 1)
      assert.strictEqual(yield* cache.get("a"), 1)
      assert.strictEqual(yield* cache.get("b"), 2)
      values.set("a", 3).set("b", 4)
      assert.strictEqual(yield* cache.get("a"), 1)
      yield* cache.invalidate("a")
      assert.strictEqual(yield* cache.get("a"), 3)
      assert.strictEqual(yield* cache.get("b"), 2)
      values.set("a", 5)
      yield* cache.clear
      assert.strictEqual(yield* cache.get("a"), 5)
      assert.strictEqual(yield* cache.get("b"), 4)
    })
  )

  it.effect("has no entry left that is older than the wait for its expiry", () =>
    Effect.gen(function* () {
      let value = 1
      const cache = ShortCache.make(() => Effect.sync(() => value))
      yield* cache.get("a")
      value = 2
      const waiting = yield* Effect.forkChild(ShortCache.expired, { startImmediately: true })
      yield* TestClock.adjust("1100 millis")
      yield* Fiber.join(waiting)
      assert.strictEqual(yield* cache.get("a"), 2)
    })
  )
})

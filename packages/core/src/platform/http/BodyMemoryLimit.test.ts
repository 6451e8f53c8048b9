/** Bodies that are large, slow or of unknown length do not block the bodies of other callers. */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as BodyMemoryLimit from "./BodyMemoryLimit.ts"

const megabyte = 1024 * 1024
const limit = 40 * megabyte

/** A request whose body arrives at once, or never. The length is `undefined` where it does not state one. */
const request = (caller: string, length: number | undefined, comes: boolean) =>
  Effect.forkChild(
    Effect.scoped(
      BodyMemoryLimit.read(caller, length, limit, comes ? Effect.succeed(new ArrayBuffer(1)) : Effect.never)
    ),
    { startImmediately: true }
  )

const isDone = (fiber: Fiber.Fiber<unknown>) => fiber.pollUnsafe() !== undefined
const stop = (...fibers: ReadonlyArray<Fiber.Fiber<unknown>>) => Fiber.interruptAll(fibers)

it.effect("a caller has a share of the memory, and does not block others", () =>
  Effect.gen(function* () {
    const slow = yield* request("one", limit, false)
    const second = yield* request("one", 24 * megabyte, true)
    const other = yield* request("other", 20 * megabyte, true)
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual([isDone(slow), isDone(second), isDone(other)], [false, false, true])
    yield* stop(slow, second)
  })
)

it.effect("a body of unknown length reserves the whole limit", () =>
  Effect.gen(function* () {
    const endless = yield* request("one", undefined, false)
    const other = yield* request("other", limit, true)
    const small = yield* request("other", 1_000, true)
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual([isDone(endless), isDone(other), isDone(small)], [false, false, true])
    yield* stop(endless, other)
    const next = yield* request("other", undefined, true)
    assert.isTrue(isDone(next))
  })
)

it.effect("a slow caller is ended only when others wait", () =>
  Effect.gen(function* () {
    const slow = yield* request("one", limit, false)
    yield* TestClock.adjust("50 seconds")
    assert.isFalse(isDone(slow))
    const other = yield* request("other", limit, true)
    yield* TestClock.adjust("2 seconds")
    assert.isTrue(Exit.isFailure(yield* Fiber.await(slow)))
    assert.isTrue(Exit.isSuccess(yield* Fiber.await(other)))
  })
)

it.effect("a body that waits too long gets 503 with Retry-After", () =>
  Effect.gen(function* () {
    const held = yield* Effect.forkChild(
      Effect.scoped(Effect.andThen(BodyMemoryLimit.reserveShare("one", limit), Effect.never)),
      { startImmediately: true }
    )
    const waits = yield* request("one", limit, true)
    yield* TestClock.adjust("19 seconds")
    assert.isFalse(isDone(waits))
    yield* TestClock.adjust("1 second")
    assert.isTrue(Exit.isFailure(yield* Fiber.await(waits)))
    yield* stop(held)
  })
)

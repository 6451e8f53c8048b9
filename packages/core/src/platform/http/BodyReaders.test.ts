/** Requests whose body never arrives do not block other requests. */
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import * as BodyReaders from "./BodyReaders.ts"
import * as ConcurrencyLimit from "./ConcurrencyLimit.ts"
import { Overloaded, TooSlow } from "./Overloaded.ts"

const kilobyte = 1024

const from = (address: string | undefined) =>
  HttpServerRequest.fromWeb(new Request("http://posthorn/")).modify({ remoteAddress: Option.fromUndefinedOr(address) })

/** A request whose body never arrives. */
const slow = (address: string | undefined, bytes = 100) =>
  BodyReaders.BodyReaders.use((readers) =>
    ConcurrencyLimit.admit("/auth/login", readers.read(bytes, Effect.never))
  ).pipe(
    Effect.provideService(HttpServerRequest.HttpServerRequest, from(address)),
    Effect.forkChild({ startImmediately: true })
  )

const many = (count: number, address: (index: number) => string) =>
  Effect.forEach(Array.from({ length: count }), (_, index) => slow(address(index)))

/** Why the request ended. Undefined while it runs. */
const endOf = (fiber: Fiber.Fiber<never>) => {
  const exit = fiber.pollUnsafe()
  if (exit === undefined) return undefined
  const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
  return defect instanceof TooSlow ? "too slow" : defect instanceof Overloaded ? defect.what : "other"
}

const settle = Effect.andThen(Effect.yieldNow, Effect.yieldNow)

layer(BodyReaders.layer)("A body that does not arrive", (it) => {
  it.effect("has 7 seconds, and more if it is long", () =>
    Effect.gen(function* () {
      const [small, large, largest] = [
        yield* slow("192.0.2.1"),
        yield* slow("192.0.2.1", 512 * kilobyte),
        yield* slow("192.0.2.1", 40 * kilobyte * kilobyte)
      ]
      const ends = () => [endOf(small), endOf(large), endOf(largest)]
      yield* TestClock.adjust("6 seconds")
      assert.deepStrictEqual(ends(), [undefined, undefined, undefined])
      yield* TestClock.adjust("4 seconds")
      assert.deepStrictEqual(ends(), ["too slow", undefined, undefined])
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(ends(), ["too slow", "too slow", undefined])
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(ends(), ["too slow", "too slow", "too slow"])
    })
  )

  it.effect("does not count as a request in progress", () =>
    Effect.gen(function* () {
      const waiting = yield* many(ConcurrencyLimit.most + 10, (index) => `192.0.2.${index % 250}`)
      assert.strictEqual(yield* ConcurrencyLimit.admit("/contacts", Effect.succeed("served")), "served")
      yield* Fiber.interruptAll(waiting)
    })
  )

  it.effect("a client above its share displaces its own requests, the oldest first", () =>
    Effect.gen(function* () {
      const other = yield* slow("192.0.2.2")
      const first = yield* many(210, () => "192.0.2.1")
      yield* settle
      assert.isTrue(
        first.every((fiber) => endOf(fiber) === undefined),
        "many concurrent bodies may come from one proxy"
      )
      yield* TestClock.adjust("1 second")
      const own = [...first, ...(yield* many(10, () => "192.0.2.1"))]
      yield* settle
      assert.deepStrictEqual(
        own.map(endOf),
        own.map((_, index) => (index < 10 ? "unfinished requests" : undefined))
      )
      assert.isUndefined(endOf(other))
      yield* Fiber.interruptAll([other, ...own])
    })
  )

  it.effect("above the total, the client with the most requests gives way; a /64 is one client", () =>
    Effect.gen(function* () {
      const other = yield* slow("192.0.2.2")
      const heavy = yield* many(60, (index) => `2001:db8::${index.toString(16)}`)
      const light = yield* many(950, (index) => `192.0.3.${index % 50}`)
      yield* settle
      assert.strictEqual(heavy.map(endOf).filter((end) => end === "unfinished requests").length, 11)
      assert.strictEqual(endOf(heavy[0] ?? other), "unfinished requests")
      assert.isTrue([other, ...light].every((fiber) => endOf(fiber) === undefined))
      yield* Fiber.interruptAll([other, ...heavy, ...light])
    })
  )

  it.effect("has no limit for a caller inside the process", () =>
    Effect.gen(function* () {
      const waiting = yield* slow(undefined)
      yield* TestClock.adjust("5 minutes")
      assert.isUndefined(endOf(waiting))
      yield* Fiber.interrupt(waiting)
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { MailerError, type MailerReason } from "@posthorn/core/platform/Mailer"
import { Deferred, Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import * as Breaker from "./Breaker.ts"

const errorOf = (reason: MailerReason) => new MailerError({ reason, transport: "smtp1", reply: reason })

/** A peer with given answers that counts its requests. */
const makePeer = () => {
  const breaker = Breaker.make()
  const peer = { asked: 0, answer: undefined as MailerReason | undefined }
  const ask = breaker.guard(
    Effect.suspend(() => {
      peer.asked++
      return peer.answer === undefined ? Effect.void : Effect.fail(errorOf(peer.answer))
    })
  )
  /** Makes a request, and returns whether it reached the peer. */
  const reached = Effect.suspend(() => {
    const before = peer.asked
    return Effect.map(Effect.result(ask), () => peer.asked > before)
  })
  return { breaker, peer, ask, reached }
}

describe("Breaker", () => {
  it.effect("opens if the peer cannot be reached or refuses the login, and keeps the reason", () =>
    Effect.gen(function* () {
      for (const reason of ["unreachable", "authentication"] as const) {
        const { ask, peer } = makePeer()
        peer.answer = reason
        yield* Effect.flip(ask)
        const error = yield* Effect.flip(ask)
        assert.deepStrictEqual([error.reason, peer.asked], [reason, 1])
      }
    })
  )

  it.effect("stays closed after failures of a single mail", () =>
    Effect.gen(function* () {
      const { peer, reached } = makePeer()
      for (const reason of ["refused", "broken", "ambiguous", "unsupported"] as const) {
        peer.answer = reason
        assert.isTrue(yield* reached)
      }
    })
  )

  it.effect("allows one attempt after 1 second, then after twice as long each time, at most 60 seconds", () =>
    Effect.gen(function* () {
      const { ask, peer, reached } = makePeer()
      peer.answer = "unreachable"
      yield* Effect.flip(ask)
      for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
        yield* TestClock.adjust(seconds * 1000 - 1)
        assert.isFalse(yield* reached)
        yield* TestClock.adjust(1)
        assert.isTrue(yield* reached)
      }
    })
  )

  it.effect("allows one attempt after the pause, even if the wall clock was set back", () =>
    Effect.gen(function* () {
      const { peer, reached } = makePeer()
      peer.answer = "unreachable"
      yield* reached
      yield* TestClock.setTime(-3_600_000)
      assert.isFalse(yield* reached)
      yield* TestClock.adjust("1 second")
      assert.isTrue(yield* reached)
    })
  )

  it.effect("starts again at 1 second once the peer has been reached", () =>
    Effect.gen(function* () {
      const { peer, reached } = makePeer()
      peer.answer = "unreachable"
      yield* reached
      yield* TestClock.adjust("1 second")
      yield* reached
      yield* TestClock.adjust("2 seconds")
      peer.answer = undefined
      assert.isTrue(yield* reached)
      peer.answer = "unreachable"
      yield* reached
      yield* TestClock.adjust("1 second")
      assert.isTrue(yield* reached)
    })
  )

  it.effect("counts concurrent failures as one failure", () =>
    Effect.gen(function* () {
      const { ask, peer, reached } = makePeer()
      const gate = yield* Deferred.make<void>()
      const breaker = Breaker.make()
      const slow = breaker.guard(Effect.andThen(Deferred.await(gate), Effect.fail(errorOf("unreachable"))))
      const crowd = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 20 }), () => Effect.result(slow), { concurrency: "unbounded" })
      )
      yield* Effect.yieldNow
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(crowd)
      yield* TestClock.adjust("1 second")
      assert.isTrue(Result.isSuccess(yield* Effect.result(breaker.guard(Effect.void))))
      peer.answer = undefined
      yield* ask
      assert.isTrue(yield* reached)
    })
  )

  it.effect("allows only one of many attempts, and the rest as soon as that one has reached the peer", () =>
    Effect.gen(function* () {
      const { ask, breaker, peer, reached } = makePeer()
      peer.answer = "unreachable"
      yield* Effect.flip(ask)
      peer.answer = undefined
      yield* TestClock.adjust("1 second")
      const trial = yield* Effect.forkChild(breaker.guard(Effect.never))
      yield* Effect.yieldNow
      assert.isFalse(yield* reached)
      yield* breaker.close
      assert.isTrue(yield* reached)
      yield* Fiber.interrupt(trial)
    })
  )

  it.effect("allows another attempt if the first was interrupted", () =>
    Effect.gen(function* () {
      const { ask, breaker, peer, reached } = makePeer()
      peer.answer = "unreachable"
      yield* Effect.flip(ask)
      yield* TestClock.adjust("1 second")
      const trial = yield* Effect.forkChild(breaker.guard(Effect.never))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(trial)
      assert.isTrue(yield* reached)
    })
  )
})

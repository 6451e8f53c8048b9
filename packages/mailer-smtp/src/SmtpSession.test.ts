import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Peer from "./Peer.ts"
import * as SmtpSession from "./SmtpSession.ts"
import type { SmtpTransport } from "./SmtpUrl.ts"
import { at, makeSink, until } from "./testing/SinkFixture.ts"

const openTo = (port: number, tls: SmtpTransport["tls"]) =>
  SmtpSession.open(Peer.make("smtp1", { host: "127.0.0.1", port, pool: 5, tls, verify: true }))

describe("opening a session", () => {
  it.effect("fails if there is no connection within 30 seconds", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink({ misbehave: at("connect", { drop: true, delay: 60_000 }) })
      const opening = yield* Effect.forkChild(Effect.flip(openTo(sink.port, "implicit")))
      yield* until(() => sink.connections() === 1)
      yield* TestClock.adjust("30 seconds")
      const error = yield* Fiber.join(opening)
      assert.deepStrictEqual(
        [error.reason, error.reply],
        ["unreachable", `127.0.0.1:${sink.port}: no connection within 30 seconds`]
      )
      yield* until(() => sink.openConnections() === 0)
    })
  )

  it.effect("fails if the session is not open within 120 seconds", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink({ misbehave: at("ehlo", { delay: 60_000 }) })
      const opening = yield* Effect.forkChild(Effect.flip(openTo(sink.port, "none")))
      yield* until(() => sink.commands.length === 1)
      yield* TestClock.adjust("120 seconds")
      const error = yield* Fiber.join(opening)
      assert.deepStrictEqual(
        [error.reason, error.reply],
        ["unreachable", `127.0.0.1:${sink.port}: no session within 120 seconds`]
      )
      yield* until(() => sink.openConnections() === 0)
    })
  )

  it.effect("leaves no connection open if it is interrupted", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink({ misbehave: at("ehlo", { delay: 60_000 }) })
      const opening = yield* Effect.forkChild(openTo(sink.port, "none"))
      yield* until(() => sink.commands.length === 1)
      yield* Fiber.interrupt(opening)
      yield* until(() => sink.openConnections() === 0)
    })
  )
})

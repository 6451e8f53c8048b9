/** Wake-ups over a real NATS server. */
import { assert, describe, it } from "@effect/vitest"
import { layer as wakeups } from "@posthorn/core/platform/Wakeups"
import * as NatsWakeups from "@posthorn/platform-node/wakeups/NatsWakeups"
import { Effect, Layer, Redacted } from "effect"
import { freePort } from "../testing/Forwarder.ts"
import { isInstalled, nats } from "../testing/LocalService.ts"
import { wakeup, wakeupsSuite } from "./WakeupsSuite.ts"

const optionsFor = (port: number, subject = "posthorn") => ({
  url: Redacted.make(`nats://127.0.0.1:${port}`),
  name: "POSTHORN_NATS_URL",
  subject
})

/** The wake-up part of a process. */
const processOn = (port: number, subject?: string) =>
  Layer.build(Layer.provideMerge(wakeups, Layer.orDie(NatsWakeups.layer(optionsFor(port, subject)))))

const pair = Effect.gen(function* () {
  const server = yield* nats
  return { server, api: yield* processOn(server.port), worker: yield* processOn(server.port) }
})

describe.skipIf(!isInstalled("nats-server"))("Wake-ups over NATS", () => {
  wakeupsSuite(pair)

  it.live("continue when NATS was killed and is back, and signal missed wake-ups", () =>
    Effect.gen(function* () {
      const { api, server, worker } = yield* pair
      const mail = yield* wakeup(api, "mail")
      const woken = yield* (yield* wakeup(worker, "mail")).listen
      yield* woken
      yield* server.kill
      yield* mail.wake
      yield* server.start
      yield* woken
      // What a process sends before it is connected again is lost.
      const repeated = Effect.forever(Effect.andThen(mail.wake, Effect.sleep("100 millis")))
      yield* Effect.raceFirst(woken, repeated)
    })
  )

  it.live("do not reach another installation on the same server", () =>
    Effect.gen(function* () {
      const { api, server, worker } = yield* pair
      const other = yield* processOn(server.port, "another")
      const woken = yield* (yield* wakeup(worker, "mail")).listen
      const elsewhere = yield* (yield* wakeup(other, "mail")).listen
      yield* woken
      yield* elsewhere
      yield* (yield* wakeup(api, "mail")).wake
      yield* woken
      assert.isFalse(yield* Effect.raceFirst(Effect.as(elsewhere, true), Effect.as(Effect.sleep("200 millis"), false)))
    })
  )
})

describe("A start with POSTHORN_NATS_URL", () => {
  it.live("fails with one sentence without the password if nothing answers", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const url = Redacted.make(`nats://posthorn:s3cret@127.0.0.1:${port}`)
      const refused = yield* Effect.flip(Layer.build(NatsWakeups.layer({ ...optionsFor(port), url })))
      assert.match(refused.message, /^POSTHORN_NATS_URL: NATS at nats:\/\/127\.0\.0\.1:\d+ does not answer: /)
      assert.notInclude(refused.message, "s3cret")
    })
  )
})

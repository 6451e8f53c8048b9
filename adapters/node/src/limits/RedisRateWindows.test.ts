/** Rate limits on a real Redis server. */
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import * as RateLimiter from "@posthorn/core/platform/http/RateLimiter"
import { RateWindows } from "@posthorn/core/platform/http/RateWindows"
import { defaults, Settings } from "@posthorn/core/platform/Settings"
import { rateWindowsSuite } from "@posthorn/core/testing/RateWindowsSuite"
import { inRealTime } from "@posthorn/platform-node/RealTime"
import * as RedisRateWindows from "@posthorn/platform-node/redis/RedisRateWindows"
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { freePort } from "../testing/Forwarder.ts"
import { isInstalled, redis } from "../testing/LocalService.ts"
import { eventually } from "../testing/Program.ts"

const name = "POSTHORN_REDIS_URL"
const urlOf = (port: number, login = "") => Redacted.make(`redis://${login}127.0.0.1:${port}/3`)

const windows = Layer.unwrap(
  Effect.map(inRealTime(redis), ({ port }) => RedisRateWindows.layer({ url: urlOf(port), name }))
)

describe.skipIf(!isInstalled("redis-server"))("Rate limits on Redis", () => {
  rateWindowsSuite("Redis", Layer.orDie(windows))

  it.live("let requests pass while Redis is killed, and hold again when it is back", () =>
    Effect.gen(function* () {
      const server = yield* redis
      const context = yield* Layer.build(
        RateLimiter.layer.pipe(
          Layer.provideMerge(RedisRateWindows.layer({ url: urlOf(server.port), name })),
          Layer.provide(Layer.succeed(Settings, { ...defaults, rateLimitPerMinute: 10 }))
        )
      )
      const limiter = Context.get(context, RateLimiter.RateLimiter)
      const passed = (project: string) =>
        Effect.forEach(Array.from({ length: 30 }), () => Effect.exit(limiter.take(ProjectId.make(project)))).pipe(
          Effect.map((exits) => exits.filter(({ _tag }) => _tag === "Success").length),
          Effect.provideService(
            HttpServerRequest.HttpServerRequest,
            HttpServerRequest.fromWeb(new Request("http://posthorn/"))
          )
        )
      assert.strictEqual(yield* passed(randomUUID()), 10)
      yield* server.kill
      assert.strictEqual(yield* passed(randomUUID()), 30)
      yield* server.start
      yield* eventually(
        Effect.suspend(() => passed(randomUUID())),
        (count) => count === 10
      )
    })
  )

  it.live("expire, so that windows of past requests use no memory", () =>
    Effect.gen(function* () {
      const { port } = yield* redis
      const context = yield* Layer.build(RedisRateWindows.layer({ url: urlOf(port), name }))
      const { reserve } = Context.get(context, RateWindows)
      const ceilings = { all: 5, ofPublicKey: undefined }
      yield* reserve("requests", "one", 100, 5, ceilings, { second: 0, slots: 0 })
      const { createClient } = yield* Effect.promise(() => import("@redis/client"))
      const client = yield* Effect.promise(() => createClient({ url: Redacted.value(urlOf(port)) }).connect())
      const left = yield* Effect.promise(() => client.ttl("posthorn:rate:requests:one"))
      client.destroy()
      assert.isAbove(left, 60)
      assert.isAtMost(left, 120)
    })
  )
})

describe("A start with POSTHORN_REDIS_URL", () => {
  it.live("fails with one sentence without the password if nothing answers", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const url = urlOf(port, "posthorn:s3cret@")
      const refused = yield* Effect.flip(Layer.build(RedisRateWindows.layer({ url, name })))
      assert.match(refused.message, /^POSTHORN_REDIS_URL: Redis at redis:\/\/127\.0\.0\.1:\d+\/3 does not answer: /)
      assert.notInclude(refused.message, "s3cret")
      assert.notInclude(refused.message, "\n")
    })
  )
})

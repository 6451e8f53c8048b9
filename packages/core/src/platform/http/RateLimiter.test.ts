import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../../testing/Databases.ts"
import { publicKey } from "../../testing/Services.ts"
import { send, wire } from "../../testing/TestClient.ts"
import { defaults, Settings } from "../Settings.ts"
import * as RateLimiter from "./RateLimiter.ts"
import * as RateWindows from "./RateWindows.ts"

const start = Date.UTC(2026, 10, 20, 15)

/** Another process on the same database. */
const another = Effect.map(
  Layer.build(
    RateLimiter.layer.pipe(
      Layer.provide(RateWindows.layerSql),
      Layer.provide(Layer.succeed(Settings, { ...defaults, rateLimitPerMinute: 100, submissionRatePerMinute: 60 })),
      Layer.fresh
    )
  ),
  (context) => Effect.provide(RateLimiter.RateLimiter, Layer.succeedContext(context))
)

const request = HttpServerRequest.fromWeb(new Request("http://posthorn/"))

const passed = (
  limiter: RateLimiter.RateLimiter["Service"],
  project: ProjectId,
  times: number,
  key?: RateLimiter.Key
) =>
  Effect.all(
    Array.from({ length: times }, () => Effect.exit(limiter.take(project, key))),
    { concurrency: "unbounded" }
  ).pipe(
    Effect.map((exits) => exits.filter(({ _tag }) => _tag === "Success").length),
    Effect.provideService(HttpServerRequest.HttpServerRequest, request)
  )

for (const [name, database] of databases()) {
  layer(database, { timeout: "60 seconds" })(`RateLimiter on ${name}`, (it) => {
    it.effect("allows exactly the limit in any 60 seconds", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const limiter = yield* yield* another
        const project = ProjectId.make(randomUUID())
        assert.strictEqual(yield* passed(limiter, project, 40), 40)
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual(yield* passed(limiter, project, 80), 60)
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual(yield* passed(limiter, project, 10), 0, "the first second is still in the window")
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* passed(limiter, project, 50), 40, "and now it has left")
      })
    )

    it.effect("a single process never refuses early, even at low traffic", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const limiter = yield* yield* another
        const project = ProjectId.make(randomUUID())
        for (let second = 0; second < 50; second++) {
          assert.strictEqual(yield* passed(limiter, project, 2), 2)
          yield* TestClock.adjust("1 second")
        }
        assert.strictEqual(yield* passed(limiter, project, 1), 0)
      })
    )

    it.effect("two processes share one window, and lose at most one block", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const [a, b] = [yield* yield* another, yield* yield* another]
        const project = ProjectId.make(randomUUID())
        const total = (yield* passed(a, project, 70)) + (yield* passed(b, project, 70))
        assert.isTrue(total >= 80 && total <= 100, `${total} passed`)
      })
    )

    it.effect("messages by SMTP share a window over two processes, beside that of requests", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const [a, b] = [yield* yield* another, yield* yield* another]
        const project = ProjectId.make(randomUUID())
        const begun = Effect.fnUntraced(function* (limiter: typeof a, times: number) {
          const waits = yield* Effect.all(
            Array.from({ length: times }, () => limiter.takeMessage(project)),
            { concurrency: "unbounded" }
          )
          return waits.filter(Option.isNone).length
        })
        assert.strictEqual(yield* passed(a, project, 100), 100)
        const total = (yield* begun(a, 45)) + (yield* begun(b, 45))
        assert.isTrue(total >= 40 && total <= 60, `${total} begun`)
        yield* begun(a, 60)
        assert.deepStrictEqual(yield* a.takeMessage(project), Option.some(61))
        yield* TestClock.adjust("61 seconds")
        assert.deepStrictEqual(yield* b.takeMessage(project), Option.none())
      })
    )

    it.effect("an API key has one window for its requests and messages, in all processes", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const [a, b] = [yield* yield* another, yield* yield* another]
        const project = ProjectId.make(randomUUID())
        const apiKey = { id: randomUUID(), rateLimitPerMinute: 2 }
        yield* a
          .takeOfKey(apiKey.id, 2)
          .pipe(Effect.provideService(HttpServerRequest.HttpServerRequest, request), Effect.orDie)
        assert.deepStrictEqual(yield* b.takeMessage(project, apiKey), Option.none())
        assert.deepStrictEqual(yield* a.takeMessage(project, apiKey), Option.some(61))
        // What the key refuses takes no slot of the project.
        for (let n = 0; n < 100; n++) yield* a.takeMessage(project, apiKey)
        const other = { id: randomUUID(), rateLimitPerMinute: null }
        assert.deepStrictEqual(yield* a.takeMessage(project, other), Option.none())
      })
    )

    it.effect("callers do not wait after a clock that was ahead is set back", () =>
      Effect.gen(function* () {
        const limiter = yield* yield* another
        const project = ProjectId.make(randomUUID())
        yield* TestClock.setTime(start + 3_600_000)
        assert.strictEqual(yield* passed(limiter, project, 40), 40)
        yield* TestClock.setTime(start)
        assert.strictEqual(yield* passed(limiter, project, 80), 60, "used slots still count")
        yield* TestClock.adjust("61 seconds")
        assert.strictEqual(yield* passed(limiter, project, 101), 100)
      })
    )

    it.effect("the public key leaves a fifth of the window to other keys, which may use all of it", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const limiter = yield* yield* another
        const project = ProjectId.make(randomUUID())
        assert.strictEqual(yield* passed(limiter, project, 200, "public"), 80)
        assert.strictEqual(yield* passed(limiter, project, 200), 20)
        assert.strictEqual(yield* passed(limiter, project, 1, "public"), 0)
        yield* TestClock.adjust("61 seconds")
        assert.strictEqual(yield* passed(limiter, project, 200), 100)
        assert.strictEqual(yield* passed(limiter, project, 1, "public"), 0)
      })
    )

    it.effect("both kinds of key together use the whole window, and each slot is free after a minute", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const limiter = yield* yield* another
        const project = ProjectId.make(randomUUID())
        assert.strictEqual(yield* passed(limiter, project, 60), 60)
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual(yield* passed(limiter, project, 3, "public"), 3)
        assert.strictEqual(yield* passed(limiter, project, 1), 1)
        assert.strictEqual(
          yield* passed(limiter, project, 100, "public"),
          36,
          "no slot is lost in a block of the other key"
        )
        yield* TestClock.adjust("51 seconds")
        assert.strictEqual(yield* passed(limiter, project, 100, "public"), 41, "80 less 39 within the minute")
        assert.strictEqual(yield* passed(limiter, project, 100), 19)
      })
    )

    it.effect("the public key stays within its part across processes", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const [a, b] = [yield* yield* another, yield* yield* another]
        const project = ProjectId.make(randomUUID())
        const total = (yield* passed(a, project, 70, "public")) + (yield* passed(b, project, 70, "public"))
        assert.isTrue(total >= 60 && total <= 80, `${total} passed`)
        assert.isAtLeast(yield* passed(a, project, 100), 20)
      })
    )

    it.effect("a process of an older version shares the window", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const limiter = yield* yield* another
        const project = ProjectId.make(randomUUID())
        assert.strictEqual(yield* passed(limiter, project, 80, "public"), 80)
        const take = SqlClient.SqlClient.use(
          (sql) =>
            sql`select granted, used from take_rate_slots(${project}::uuid, ${start / 1000}::bigint, 15, 100, 0::bigint, 0)`
        )
        assert.deepStrictEqual(yield* take, [{ granted: 15, used: 95 }])
        assert.strictEqual(yield* passed(limiter, project, 10), 5)
      })
    )

    it.effect("projects have separate windows", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const limiter = yield* yield* another
        yield* passed(limiter, ProjectId.make(randomUUID()), 100)
        assert.strictEqual(yield* passed(limiter, ProjectId.make(randomUUID()), 100), 100)
      })
    )
  })
}

const rates = (headers: Headers) => ["limit", "remaining", "reset"].map((name) => headers.get(`ratelimit-${name}`))

layer(wire, { timeout: "60 seconds" })("The rate limit of the public key over HTTP", (it) => {
  it.effect("is 800 of the 1,000 requests, including invalid ones; the secret key has the rest", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const withPublic = { authorization: `Bearer ${publicKey}` }
      const invalid = Effect.suspend(() => send("POST", "/v1/track", { event: "x" }, withPublic))
      const first = yield* invalid
      assert.deepStrictEqual([first.status, ...rates(first.headers)], [422, "800", "799", "0"])
      yield* Effect.all(
        Array.from({ length: 799 }, () => invalid),
        { concurrency: 20 }
      )
      const over = yield* invalid
      assert.deepStrictEqual([over.status, over.body.error.details], [429, { limit: 800, retryAfter: 61 }])
      const secret = yield* send("GET", "/contacts")
      assert.deepStrictEqual([secret.status, ...rates(secret.headers)], [200, "1000", "199", "0"])
    })
  )
})

layer(wire, { timeout: "60 seconds" })("The rate limit over HTTP", (it) => {
  it.effect("returns the remaining requests and the time to wait; refused requests do not count", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const first = yield* send("GET", "/contacts/019a0000-0000-7000-8000-00000000dead")
      assert.deepStrictEqual(
        ["limit", "remaining", "reset"].map((name) => first.headers.get(`ratelimit-${name}`)),
        ["1000", "999", "0"]
      )
      yield* Effect.all(
        Array.from({ length: 999 }, () => send("HEAD", "/templates")),
        { concurrency: 20 }
      )
      const over = yield* send("GET", "/contacts")
      assert.deepStrictEqual([over.status, over.body.error.code], [429, "RATE_LIMIT_EXCEEDED"])
      assert.deepStrictEqual(over.body.error.details, { limit: 1000, retryAfter: 61 })
      assert.strictEqual(over.headers.get("retry-after"), "61")
      assert.strictEqual((yield* send("GET", "/contacts", undefined, { authorization: "Bearer nonsense" })).status, 401)
      assert.strictEqual((yield* send("GET", "/health", undefined, { authorization: "" })).status, 200)
      yield* TestClock.adjust("61 seconds")
      assert.strictEqual((yield* send("GET", "/contacts")).status, 200)
    })
  )
})

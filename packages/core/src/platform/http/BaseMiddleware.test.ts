import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { send, Wire, wire } from "../../testing/TestClient.ts"

/** Milliseconds of the fastest of several runs. */
const fastest = Effect.fnUntraced(function* (url: string) {
  const handler = yield* Wire
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < 5; run++) {
    const started = performance.now()
    yield* Effect.promise(() => handler(new Request(url)).then((response) => response.text()))
    best = Math.min(best, performance.now() - started)
  }
  return best
})

layer(wire, { timeout: "60 seconds" })("The path of a request", (it) => {
  it.effect("may end in slashes", () =>
    Effect.gen(function* () {
      for (const path of ["/health", "/health/", "/health///", "/health//?a=/"]) {
        assert.strictEqual((yield* send("GET", path)).status, 200, path)
      }
      for (const path of ["/", "//"]) assert.strictEqual((yield* send("GET", path)).status, 404, path)
    })
  )

  it.effect("has at most 2,048 characters; the query has a separate limit", () =>
    Effect.gen(function* () {
      const path = (length: number) => `/${"a".repeat(length - 1)}`
      assert.strictEqual((yield* send("GET", path(2048))).status, 404)
      const { body, headers, status } = yield* send("GET", path(2049))
      assert.deepStrictEqual([status, body.error.code], [414, "URI_TOO_LONG"])
      assert.deepStrictEqual(body.error.details, { limit: 2048 })
      assert.strictEqual(headers.get("x-request-id"), body.error.requestId)
      assert.strictEqual((yield* send("GET", `/health${"/".repeat(2048)}`)).status, 414)
      assert.strictEqual((yield* send("GET", `/health?${"a".repeat(10_000)}`)).status, 200)
    })
  )

  it.effect("is refused in linear time", () =>
    Effect.gen(function* () {
      const slashes = (count: number) => `http://posthorn/${"/".repeat(count)}x`
      yield* fastest(slashes(1_000))
      const [some, twice] = [yield* fastest(slashes(20_000)), yield* fastest(slashes(40_000))]
      assert.isBelow(twice, 3 * some + 10)
    })
  )
})

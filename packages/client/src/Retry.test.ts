import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { PosthornError } from "./Answer.ts"
import { delayOf, isPassing, maxRetryAfter } from "./Retry.ts"

describe("The wait before a retry", () => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

  it("is the time that the service asks for, in seconds", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: maxRetryAfter }),
        fc.integer({ min: 1, max: 20 }),
        chance,
        (seconds, tries, by) => {
          assert.strictEqual(delayOf(tries, String(seconds), by), seconds * 1000)
        }
      )
    )
  })

  it("is refused if the service asks for more than a minute", () => {
    assert.isUndefined(delayOf(1, String(maxRetryAfter + 1), 0))
    assert.isUndefined(delayOf(1, "Fri, 31 Dec 2999 23:59:59 GMT", 0))
  })

  it("is zero if the date of the service has passed", () => {
    assert.strictEqual(delayOf(1, "Thu, 01 Jan 1970 00:00:00 GMT", 0), 0)
  })

  it("doubles from half a second to eight seconds, minus up to half of it", () => {
    assert.deepStrictEqual(
      [1, 2, 3, 4, 5, 6, 60].map((tries) => delayOf(tries, null, 0)),
      [500, 1000, 2000, 4000, 8000, 8000, 8000]
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), chance, (tries, by) => {
        const longest = delayOf(tries, null, 0) ?? Number.NaN
        assert.strictEqual(delayOf(tries, null, by), longest * (1 - by / 2))
      })
    )
  })

  it("doubles if the header is not valid", () => {
    fc.assert(
      fc.property(fc.constantFrom("", "soon", "-1x", "1.5"), (header) => {
        assert.isDefined(delayOf(1, header, 0))
      })
    )
  })
})

describe("A temporary error", () => {
  const of = (code: PosthornError["code"], status: number | null, details = {}) =>
    new PosthornError(
      { code, message: "", details },
      { status, requestId: null, rateLimit: null, idempotencyReplayed: false, warnings: [] }
    )

  it("is an error of the network, the rate limit or the server", () => {
    for (const status of [408, 429, 500, 502, 503, 504])
      assert.isTrue(isPassing(of("UNEXPECTED_RESPONSE", status), false))
    for (const code of ["NETWORK_ERROR", "TIMEOUT"] as const) assert.isTrue(isPassing(of(code, null), false))
  })

  it("is not a decision of the service, and not a mistake of the caller", () => {
    for (const status of [400, 401, 403, 404, 409, 413, 415, 422])
      assert.isFalse(isPassing(of("CONFLICT", status), true))
    for (const code of ["ABORTED", "MISSING_KEY", "INVALID_ARGUMENT"] as const)
      assert.isFalse(isPassing(of(code, null), true))
  })

  it("is a key in use while our own earlier attempt runs, but not a key that was used before", () => {
    assert.isTrue(isPassing(of("IDEMPOTENCY_KEY_REUSED", 409), true))
    assert.isFalse(isPassing(of("IDEMPOTENCY_KEY_REUSED", 409), false))
    assert.isFalse(isPassing(of("IDEMPOTENCY_KEY_REUSED", 409, { originalStatusCode: 200 }), true))
  })
})

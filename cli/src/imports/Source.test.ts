import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { type SourceAnswer, sourceServer } from "../testing/SourceServer.ts"
import { getFrom, orNone, pauseBefore } from "./Source.ts"

const Names = Schema.Array(Schema.String)
const busy = (retryAfter: string, status = 429): SourceAnswer => ({
  status,
  headers: { "retry-after": retryAfter },
  body: { message: "Too many requests" }
})

/** A source that gives these answers in their order, and then the last one. */
const giving = Effect.fnUntraced(function* (...answers: ReadonlyArray<SourceAnswer>) {
  let at = 0
  const source = yield* sourceServer("key", () => answers[Math.min(at++, answers.length - 1)])
  const get = getFrom({ title: "Elsewhere", url: `${source.url}/`, headers: { authorization: "key" } })
  return { ...source, get: get("/names", Names, { page: 1, cursor: undefined }) }
})

describe("a source", () => {
  it.live("that is busy is asked again when it says", () =>
    Effect.gen(function* () {
      const { asked, get } = yield* giving(busy("0"), busy("0", 503), busy("1"), { body: ["ada"] })
      const began = performance.now()
      assert.deepStrictEqual(yield* get, ["ada"])
      assert.isAtLeast(performance.now() - began, 990)
      assert.deepStrictEqual(
        asked,
        Array.from({ length: 4 }, () => "/names?page=1")
      )
    }).pipe(Effect.scoped)
  )

  it.live("that stays busy, or wants too long a pause, ends the import with what to do", () =>
    Effect.gen(function* () {
      const stays = yield* giving(busy("0"))
      const failure = yield* Effect.flip(stays.get)
      assert.strictEqual(failure.message, "Elsewhere answered /names with status 429, 8 times.")
      assert.include(failure.suggestion, "goes on where it stopped")
      const long = yield* giving(busy("86400"))
      yield* Effect.flip(long.get)
      assert.strictEqual(long.asked.length, 1)
    }).pipe(Effect.scoped)
  )

  it.live("that answers something else, or nothing of the kind, is one sentence", () =>
    Effect.gen(function* () {
      const odd = yield* giving({ body: { names: [] } })
      assert.include((yield* Effect.flip(odd.get)).message, "something else than expected")
      const none = yield* giving({ status: 404, body: {} })
      assert.strictEqual((yield* Effect.flip(none.get)).message, "Elsewhere answered /names with status 404.")
      assert.deepStrictEqual(yield* orNone(none.get, []), [])
      const moved = yield* giving({ status: 302, headers: { location: "http://127.0.0.1:1/" }, body: {} })
      assert.include((yield* Effect.flip(moved.get)).message, "status 302")
    }).pipe(Effect.scoped)
  )
})

it("waits as long as the source asks: seconds or a date, otherwise twice as long each time", () => {
  const now = Date.parse("2026-03-01T10:00:00Z")
  assert.strictEqual(pauseBefore(1, "7", now), 7)
  assert.strictEqual(pauseBefore(1, "Sun, 01 Mar 2026 10:00:30 GMT", now), 30)
  assert.strictEqual(pauseBefore(1, "Sun, 01 Mar 2026 09:00:00 GMT", now), 0)
  assert.deepStrictEqual(
    [1, 2, 3, 7, 8].map((tries) => pauseBefore(tries, null, now)),
    [1, 2, 4, 60, 60]
  )
  assert.strictEqual(pauseBefore(2, "soon", now), 2)
})

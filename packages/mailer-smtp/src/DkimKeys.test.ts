import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeCache } from "./DkimKeys.ts"
import { publishKey } from "./testing/index.ts"

const newKey = (selector: string) => publishKey("example.com", selector, "ed25519-sha256").key

describe("the cache of DKIM keys", () => {
  it.effect("parses a key once, and drops the oldest if it is full", () =>
    Effect.gen(function* () {
      const first = newKey("a")
      const secretOf = makeCache(2)
      const parsed = yield* secretOf(first)
      assert.strictEqual(yield* secretOf({ ...first }), parsed)
      yield* secretOf(newKey("b"))
      assert.strictEqual(yield* secretOf(first), parsed)
      yield* secretOf(newKey("c"))
      assert.notStrictEqual(yield* secretOf(first), parsed)
    })
  )
})

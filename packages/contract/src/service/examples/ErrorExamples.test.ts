import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { catalogue } from "../../platform/ErrorCatalogue.ts"
import { envelope } from "../../platform/Errors.ts"
import { RequestId } from "../../platform/Primitives.ts"
import { errorExample, failures } from "./ErrorExamples.ts"
import { ids } from "./Ids.ts"

describe("The example of an error", () => {
  it.effect.each(Object.values(failures))("$_tag is what the service answers", (failure) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-03-01T09:30:00.000Z")))
      const { constructor } = failure
      const encode = Schema.encodeUnknownEffect(envelope(constructor as Parameters<typeof envelope>[0]))
      const body = yield* encode(failure).pipe(Effect.provideService(RequestId, ids["request"] ?? ""))
      assert.deepStrictEqual<unknown>(errorExample(failure._tag), body)
    })
  )

  it("exists for every row of the catalogue", () => {
    assert.sameMembers(Object.keys(failures), Object.keys(catalogue))
  })
})

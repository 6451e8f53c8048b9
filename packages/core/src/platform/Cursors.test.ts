import { assert, layer } from "@effect/vitest"
import { InvalidCursor } from "@posthorn/contract/platform/Errors"
import { Effect, Layer, Redacted, Schema } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import * as Cursors from "./Cursors.ts"
import { Secrets } from "./Secrets.ts"

const cursors = Cursors.layer.pipe(
  Layer.provide(Layer.succeed(Secrets, { current: Redacted.make("0123456789abcdef0123456789abcdef"), previous: [] })),
  Layer.provide(Mac.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto)))
)

layer(cursors)("Cursors", (it) => {
  it.effect.prop("a position is unchanged after a round trip", [Schema.String, Cursors.Position], ([scope, position]) =>
    Effect.gen(function* () {
      const { seal, open } = yield* Cursors.Cursors
      assert.deepStrictEqual(yield* open(scope, yield* seal(scope, position)), position)
    })
  )

  it.effect.prop(
    "a cursor does not open under another scope",
    [Schema.String, Schema.String, Cursors.Position],
    ([scope, other, position]) =>
      Effect.gen(function* () {
        const { seal, open } = yield* Cursors.Cursors
        if (scope === other) return
        const cursor = yield* seal(scope, position)
        assert.instanceOf(yield* Effect.flip(open(other, cursor)), InvalidCursor)
      })
  )

  it.effect.prop(
    "a changed, cut or invented cursor does not open",
    [Cursors.Position, Schema.Int, Schema.String],
    ([position, at, madeUp]) =>
      Effect.gen(function* () {
        const { seal, open } = yield* Cursors.Cursors
        const cursor = yield* seal("list", position)
        const index = Math.abs(at) % cursor.length
        const changed = cursor.slice(0, index) + (cursor[index] === "A" ? "B" : "A") + cursor.slice(index + 1)
        for (const bad of [changed, cursor.slice(0, index), madeUp]) {
          assert.instanceOf(yield* Effect.flip(open("list", bad)), InvalidCursor)
        }
      })
  )
})

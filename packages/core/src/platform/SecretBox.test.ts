import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { Aead, Kdf, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import * as Box from "./SecretBox.ts"
import { Secrets } from "./Secrets.ts"

const crypto = Layer.mergeAll(Aead.layerWebCrypto, Kdf.layerWebCrypto).pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto)
)

const boxWith = (current: string, ...previous: ReadonlyArray<string>) =>
  Box.layer.pipe(
    Layer.provide(crypto),
    Layer.provide(
      Layer.succeed(Secrets, {
        current: Redacted.make(current),
        previous: previous.map((text) => Redacted.make(text))
      })
    )
  )

const old = "0123456789abcdef0123456789abcdef"
const next = "fedcba9876543210fedcba9876543210"
const label = { purpose: "dkim", owner: "domain-1/rsa" }
const Text = Schema.String.check(Schema.makeFilter((text: string) => text.isWellFormed()))

const using = <A, E>(
  secrets: readonly [current: string, ...previous: Array<string>],
  use: (box: Box.SecretBox["Service"]) => Effect.Effect<A, E>
) => Box.SecretBox.use(use).pipe(Effect.provide(boxWith(...secrets)))

const sealed = (text: string, to = label) => using([old], ({ seal }) => seal(to, Redacted.make(text)))
const opened = (text: string, from = label, current = old, ...previous: Array<string>) =>
  using([current, ...previous], ({ open }) => Effect.map(open(from, text), Redacted.value))

describe("SecretBox", () => {
  it.effect.prop("a text is unchanged after a round trip", [Text], ([text]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* opened(yield* sealed(text), label, old), text)
    })
  )

  it.effect("a byte order mark is part of the text", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* opened(yield* sealed("\ufeffkey"), label, old), "\ufeffkey")
    })
  )

  it.effect("equal texts are sealed differently each time, and are not readable", () =>
    Effect.gen(function* () {
      const [a, b] = [yield* sealed("private key"), yield* sealed("private key")]
      assert.notStrictEqual(a, b)
      assert.match(a, /^[A-Za-z0-9_-]+$/)
      assert.notInclude(Base64Url.decodeString(a).toString(), "private key")
    })
  )

  it.effect("each purpose has a separate key, whose id is in the sealed text", () =>
    Effect.gen(function* () {
      const keyIdOf = (purpose: string) => Effect.map(sealed("key", { ...label, purpose }), (text) => text.slice(0, 6))
      assert.strictEqual(yield* keyIdOf("dkim"), yield* keyIdOf("dkim"))
      assert.notStrictEqual(yield* keyIdOf("dkim"), yield* keyIdOf("webhook"))
    })
  )

  it.effect("opens under no other purpose or owner", () =>
    Effect.gen(function* () {
      const text = yield* sealed("private key")
      for (const other of [
        { purpose: "webhook", owner: label.owner },
        { purpose: "dkim", owner: "domain-2/rsa" },
        { purpose: "dkim", owner: "domain-1/ed25519" },
        { purpose: "", owner: "" }
      ]) {
        assert.instanceOf(yield* Effect.flip(opened(text, other, old)), Box.CannotOpen)
      }
    })
  )

  it.effect.prop(
    "opens only unchanged texts: nothing changed, cut, added or invented",
    [Schema.Int, Schema.String],
    ([at, madeUp]) =>
      Effect.gen(function* () {
        const text = yield* sealed("private key")
        const index = Math.abs(at) % text.length
        const changed = text.slice(0, index) + (text[index] === "A" ? "B" : "A") + text.slice(index + 1)
        const bytes = yield* Effect.fromResult(Base64Url.decode(text))
        const longer = Base64Url.encode(Uint8Array.of(...bytes, 0))
        for (const bad of [changed, text.slice(0, index), longer, madeUp, ""]) {
          assert.instanceOf(yield* Effect.flip(opened(bad, label, old)), Box.CannotOpen)
        }
      })
  )

  it.effect("opens with the current and previous secrets, and with no other", () =>
    Effect.gen(function* () {
      const text = yield* sealed("private key")
      assert.strictEqual(yield* opened(text, label, next, old), "private key")
      assert.strictEqual(yield* opened(text, label, `${next}x`, next, old), "private key")
      const lost = yield* Effect.flip(opened(text, label, next))
      assert.include(lost.message, "POSTHORN_SECRET_PREVIOUS")
      assert.instanceOf(yield* Effect.flip(opened(text, label, next, `${old}x`)), Box.CannotOpen)
    })
  )

  it.effect("returns the first characters of the texts of each secret", () =>
    Effect.gen(function* () {
      const text = yield* sealed("private key")
      const [current, ...before] = yield* using([next, old], ({ beginnings }) => beginnings(label.purpose))
      assert.deepStrictEqual(before, [text.slice(0, 6)])
      assert.notStrictEqual(current, before[0])
    })
  )

  it.effect("renews texts of a previous secret, so that the secret can be removed", () =>
    Effect.gen(function* () {
      const text = yield* sealed("private key")
      const renewed = yield* using([next, `${old}x`, old], ({ renew }) => renew(label, text)).pipe(
        Effect.flatMap(Effect.fromOption)
      )
      assert.strictEqual(yield* opened(renewed, label, next), "private key")
      assert.isTrue(Option.isNone(yield* using([next, old], ({ renew }) => renew(label, renewed))))
      assert.instanceOf(yield* Effect.flip(using([next], ({ renew }) => renew(label, text))), Box.CannotOpen)
    })
  )
})

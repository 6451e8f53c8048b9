import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import fc from "fast-check"
import { Secrets } from "../Secrets.ts"
import * as SignedTokens from "./SignedTokens.ts"

const secret = "a secret of this installation, long enough"
const destination = "https://example.com/"
const payload = new Uint8Array(50).map((_, n) => n)

const under = (current: string, previous?: string) =>
  Effect.provideService(Secrets, {
    current: Redacted.make(current),
    previous: previous === undefined ? [] : [Redacted.make(previous)]
  })
const tokens = (kind = "link", ...secrets: [] | [string, string?]) =>
  SignedTokens.make(kind).pipe(
    under(secrets[0] ?? secret, secrets[1]),
    Effect.provide(Layer.provide(Mac.layerWebCrypto, SecureRandom.layerWebCrypto))
  )

it.effect("opens only unchanged, with its kind and its covered text", () =>
  Effect.gen(function* () {
    const own = yield* tokens()
    const others = [yield* tokens("tracking"), yield* tokens("link", "another secret that is long enough")]
    yield* Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.uint8Array({ minLength: 1, maxLength: 64 }),
          fc.string({ maxLength: 50 }),
          fc.nat(),
          fc.nat(7),
          (bytes, covered, at, bit) =>
            Effect.runPromise(
              Effect.gen(function* () {
                const token = yield* own.seal(bytes, covered)
                assert.match(token, /^[\w-]+$/)
                assert.strictEqual(yield* own.seal(bytes, covered), token)
                assert.deepStrictEqual(Option.getOrNull(yield* own.open(token, covered)), bytes)
                const raw = Uint8Array.from(Buffer.from(token, "base64url"))
                const flipped = Base64Url.encode(
                  raw.map((byte, n) => (n === at % raw.length ? byte ^ (1 << bit) : byte))
                )
                for (const wrong of [flipped, `${token}A`, token.slice(0, -1), `${token}=`, token.slice(0, 20)]) {
                  assert.isTrue(Option.isNone(yield* own.open(wrong, covered)), wrong)
                }
                assert.isTrue(Option.isNone(yield* own.open(token, `${covered}x`)))
                for (const other of others) assert.isTrue(Option.isNone(yield* other.open(token, covered)))
              })
            )
        ),
        { numRuns: 40 }
      )
    )
  })
)

it.effect("reveals nothing of its payload", () =>
  Effect.gen(function* () {
    const { seal } = yield* tokens()
    // Payloads with equal first bytes, such as ids of the same time, have tokens with different first bytes.
    const all = yield* Effect.forEach(
      Array.from({ length: 50 }, (_, n) => payload.with(49, n)),
      (each) => seal(each)
    )
    for (let at = 0; at < 64; at++) assert.isAbove(new Set(all.map((token) => token.slice(at, at + 4))).size, 40)
    const raw = Buffer.from(all[0] ?? "", "base64url").toString("latin1")
    for (let at = 0; at + 4 <= payload.length; at++) {
      assert.notInclude(raw, Buffer.from(payload.subarray(at, at + 4)).toString("latin1"))
    }
  })
)

it.effect("tokens of mail that was sent before ids were encrypted still open", () =>
  Effect.gen(function* () {
    const body = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDE"
    const plain = `${body}.14iYOd_SfAqvRybFroMwZA`
    const covering = `${body}.4HZhz5p8opw2rce_c6fTbw`
    for (const { open } of [yield* tokens(), yield* tokens("link", "a newer secret of this installation", secret)]) {
      assert.deepStrictEqual(Option.getOrNull(yield* open(plain)), payload)
      assert.deepStrictEqual(Option.getOrNull(yield* open(covering, destination)), payload)
      for (const [token, covered] of [
        [plain, destination],
        [covering, ""],
        [`${plain}A`, ""],
        [plain.replace("AAEC", "AAED"), ""]
      ] as const) {
        assert.isTrue(Option.isNone(yield* open(token, covered)))
      }
    }
    assert.isTrue(Option.isNone(yield* (yield* tokens("tracking")).open(plain)))
  })
)

it.effect("tokens of the previous secret still open", () =>
  Effect.gen(function* () {
    const old = yield* (yield* tokens()).seal(payload)
    const { open, seal } = yield* tokens("link", "a newer secret of this installation", secret)
    assert.deepStrictEqual(Option.getOrNull(yield* open(old)), payload)
    assert.notStrictEqual(yield* seal(payload), old)
  })
)

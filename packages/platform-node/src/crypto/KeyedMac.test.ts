import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import * as KeyedMac from "./KeyedMac.ts"

const platform = Effect.provide(Mac.layerWebCrypto, { local: true })

it.effect("gives the same tags as Web Crypto, different for each key", () =>
  Effect.gen(function* () {
    const sign = Effect.fnUntraced(function* (algorithm: Mac.Algorithm, key: Uint8Array, data: Uint8Array) {
      const mac = yield* Mac.Mac
      return yield* mac.sign(yield* Mac.key(algorithm, key), data)
    })
    const random = yield* SecureRandom.SecureRandom
    for (const algorithm of [Mac.hmacSha1, Mac.hmacSha256, Mac.hmacSha384, Mac.hmacSha512]) {
      for (const size of [1, 32, 64, 200]) {
        const key = yield* random.randomBytes(size)
        const data = yield* random.randomBytes(size)
        const theirs = yield* platform(sign(algorithm, key, data))
        const ours = yield* Effect.provide(sign(algorithm, key, data), KeyedMac.layer)
        assert.deepStrictEqual([...ours], [...theirs])
        assert.deepStrictEqual([...(yield* Effect.provide(sign(algorithm, key, data), KeyedMac.layer))], [...theirs])
      }
    }
  }).pipe(Effect.provide(SecureRandom.layerWebCrypto))
)

import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import * as PooledRandom from "./PooledRandom.ts"

it.effect("returns no byte twice, for requests of any size", () =>
  Effect.gen(function* () {
    const random = yield* SecureRandom.SecureRandom
    const sizes = Array.from({ length: 5000 }, (_, n) => [16, 10, 32, 64, 200, 1][n % 6] ?? 16)
    const drawn = yield* Effect.forEach(sizes, random.randomBytes)
    assert.deepStrictEqual(
      drawn.map(({ length }) => length),
      sizes
    )
    const long = drawn.filter(({ length }) => length >= 10).map((bytes) => bytes.join())
    assert.strictEqual(new Set(long).size, long.length)
    const counts = new Array<number>(256).fill(0)
    for (const byte of drawn.flatMap((bytes) => [...bytes])) counts[byte] = (counts[byte] ?? 0) + 1
    // About 1,050 of each: no value is far off, in particular not zero.
    assert.isTrue(counts.every((count) => count > 700 && count < 1400))
  }).pipe(Effect.provide(PooledRandom.layer))
)

/** Random bytes from the system, drawn in large blocks, because a draw costs more than making an id. */
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

const poolBytes = 8192
/** Larger requests than an id are drawn separately. */
const largest = 64

/** Each byte is returned once and then erased. */
const pooled = () => {
  const pool = new Uint8Array(poolBytes)
  let next = poolBytes
  return (size: number): Uint8Array => {
    if (size > largest) return SecureRandom.randomBytesUnsafe(size)
    if (next + size > poolBytes) {
      pool.set(SecureRandom.randomBytesUnsafe(poolBytes))
      next = 0
    }
    const bytes = pool.slice(next, next + size)
    pool.fill(0, next, next + size)
    next += size
    return bytes
  }
}

export const layer: Layer.Layer<SecureRandom.SecureRandom> = Layer.sync(SecureRandom.SecureRandom, () =>
  SecureRandom.make(pooled())
)

/** Random bytes from the system, read in large blocks, because one read costs more than creating an id. */
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

const poolBytes = 8192
/** Requests for more bytes than an id has are read separately. */
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

/** Random bytes from the machine, drawn many at a time: ids are made by the thousand, and a draw costs more than they do. */
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

const poolBytes = 8192
/** More than an id needs: drawn for itself. */
const largest = 64

/** Each byte is given out once, and not kept. */
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
